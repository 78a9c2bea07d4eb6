package dev.hapax.app.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs did in a span of time, and what is open now.
 *
 * @param now the server's time
 * @param from begin of the first slot
 * @param complete false if the span has more runs than are counted: then its oldest are left out
 * @param runs that were created in the span, by how they are now
 * @param slots the same over time
 * @param doubts effects that their guard will settle
 * @param reviews effects that a person must settle
 * @param stopped duplicates of what the span's runs did
 * @param failures why runs of the span failed, the most frequent first; at most 20
 * @param destinations limits and state of external systems, as the node that answers sees them
 */
record OverviewView(
    Instant now,
    Instant from,
    Instant to,
    long slotSeconds,
    boolean complete,
    Outcomes runs,
    List<Slot> slots,
    OpenCount running,
    OpenCount waiting,
    OpenCount doubts,
    OpenCount reviews,
    OpenCount approvals,
    Doors stopped,
    List<Failing> failures,
    List<DestinationState> destinations) {

  /**
   * Numbers of runs.
   *
   * @param failed also in part
   * @param open running, waiting, or about to end
   * @param canceled also compensated
   */
  record Outcomes(long succeeded, long failed, long review, long open, long canceled) {}

  /** The runs that were created in a part of the span, which begins at this time. */
  record Slot(Instant at, Outcomes runs) {}

  /**
   * How many are open.
   *
   * @param oldest when the oldest began; null if there are none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OpenCount(long count, @Nullable Instant oldest) {}

  /**
   * How many duplicates were stopped, by where they came in.
   *
   * @param start a caller's start of a run
   * @param webhook an event
   * @param child a run's start of another run
   * @param effect an effect that another run had done; each counts once
   * @param answer a callback or approval that had its answer
   */
  record Doors(long start, long webhook, long child, long effect, long answer) {}

  /** So many runs of a flow failed with this code. */
  record Failing(String flow, String code, long count) {}

  /**
   * An external system.
   *
   * @param breaker {@code closed}, {@code open} or {@code half-open}
   * @param until when calls continue, if they stopped
   * @param rate how many calls may begin in {@code rateMillis}
   * @param calls how many calls may be under way at once
   * @param waiting how many calls wait for their turn
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record DestinationState(
      String name,
      String breaker,
      @Nullable Instant until,
      @Nullable Integer rate,
      @Nullable Long rateMillis,
      @Nullable Integer calls,
      int underWay,
      int waiting) {}
}
