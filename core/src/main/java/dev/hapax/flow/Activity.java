package dev.hapax.flow;

import dev.hapax.flow.StoppedDuplicate.Door;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant's runs did in a span of time, and what is open now. All counts are by flow, because
 * a caller may see only some flows.
 *
 * @param runs that were created in the span, by the slot of their creation
 * @param failures runs of the span that failed, also in part, by the code of their error
 * @param open what has not ended, no matter when it began
 * @param stopped duplicates of the span's runs
 * @param reused effects of the span whose result another run took instead of sending again
 * @param isWhole false if there may be more rows of some kind than were read: then the oldest of
 *     the span, or the newest of what is open, are left out
 */
public record Activity(
    List<Created> runs,
    List<Failed> failures,
    List<Open> open,
    List<Stopped> stopped,
    List<Reused> reused,
    boolean isWhole) {

  /**
   * A span of time in slots of equal length.
   *
   * @param to exclusive
   * @param most how many rows of each kind are read, those of other tenants included: the cost does
   *     not depend on whose they are
   */
  public record Span(Instant from, Instant to, Duration slot, int most) {}

  /** So many runs with this status were created in the slot with this index. */
  public record Created(String flow, RunStatus status, int slot, long count) {}

  /** So many runs failed; the code is empty if the error has none. */
  public record Failed(String flow, String code, long count) {}

  /** What can be open. */
  public enum Kind {
    /** Runs in the memory of a node. */
    RUNNING,
    /** Runs that wait for a time, an answer or another run. */
    WAITING,
    /** Effects that their guard will settle. */
    DOUBT,
    /** Effects that a person must settle. */
    REVIEW,
    /** Questions without an answer. */
    APPROVAL
  }

  /**
   * So much is open.
   *
   * @param flow null if the run of an effect was deleted
   * @param oldest when the first of them began
   */
  public record Open(@Nullable String flow, Kind kind, long count, Instant oldest) {}

  /** So many duplicates were stopped. */
  public record Stopped(String flow, Door door, long count) {}

  /**
   * So many effects were reused.
   *
   * @param flow of the run that did it; null if that run was deleted
   */
  public record Reused(@Nullable String flow, long count) {}
}
