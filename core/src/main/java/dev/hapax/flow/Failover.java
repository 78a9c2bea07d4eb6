package dev.hapax.flow;

import java.time.Duration;
import java.time.Instant;

/**
 * Another server took over, or the store was restored from an older copy. The last acknowledged
 * writes may be lost with the old server or store.
 *
 * @param lostSince not before this time; lost writes were made after everything that is there
 * @param notedAt when the first node noticed it, or a person said so; nothing was written between
 * @param isRestore whether an older copy of the store replaced it, and not another server
 */
public record Failover(Instant lostSince, Instant notedAt, boolean isRestore) {
  /**
   * For how long after a failover a new run may be a lost one that is started again, by a caller
   * that had no answer, or by a schedule whose instant is gone. It also covers clocks that differ.
   */
  public static final Duration STARTED_AGAIN_WITHIN = Duration.ofMinutes(5);

  public Failover(Instant lostSince, Instant notedAt) {
    this(lostSince, notedAt, false);
  }

  /** Whether effects of a run created at this time may have been sent before, and be lost. */
  public boolean concerns(Instant createdAt) {
    return createdAt.isBefore(notedAt.plus(STARTED_AGAIN_WITHIN));
  }

  /** Whether something of this time may be lost: its run may come again at any time later. */
  public boolean covers(Instant ownTime) {
    return !ownTime.isBefore(lostSince) && !ownTime.isAfter(notedAt);
  }

  /**
   * Whether the run of an event that happened then may be lost. Its source's clock may differ from
   * ours, and it delivers some time after the event.
   */
  public boolean coversEvent(Instant occurredAt) {
    return !occurredAt.isBefore(lostSince.minus(STARTED_AGAIN_WITHIN))
        && !occurredAt.isAfter(notedAt.plus(STARTED_AGAIN_WITHIN));
  }

  /**
   * Whether nothing after this sleep was done before the failover: the sleep ends after it and had
   * begun before anything was lost, or is too long to have begun and ended in between.
   */
  public boolean isSleptPast(Instant from, Instant until) {
    Duration window = Duration.between(lostSince, notedAt).plus(STARTED_AGAIN_WITHIN);
    return until.isAfter(notedAt.plus(STARTED_AGAIN_WITHIN))
        && (!from.isAfter(lostSince) || Duration.between(from, until).compareTo(window) > 0);
  }

  /** Why an effect that is missing from its journal is in doubt. */
  public String evidence() {
    String what =
        isRestore
            ? "the store was restored, which was confirmed at %s: effects after %s are unknown, so it may have been sent before"
            : "the database's server was replaced, which was noticed at %s: data written after %s may be lost, so it may have been sent before";
    return what.formatted(notedAt, lostSince);
  }
}
