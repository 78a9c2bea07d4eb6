package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule. Its next instant is stored and not computed, so exactly one commit
 * handles each nominal instant, no matter what clocks and processes do.
 *
 * @param flow the flow that it starts
 * @param nextAt the nominal instant that is handled next; null if there is none any more
 * @param lastAt the nominal instant that was started last
 * @param note the last decision that a person should know, such as a skipped instant
 * @param version the operation that wrote it; 0 before it is written
 * @param lastRun the id of the run that was started last; null if it is not known
 * @param skipped how many instants got no run because of other runs
 * @param queuedUntil the instants from the next one to this one wait until the last run has ended;
 *     null if none waits
 */
public record ScheduleRecord(
    String tenant,
    String name,
    String flow,
    @Nullable Instant nextAt,
    @Nullable Instant lastAt,
    boolean isPaused,
    @Nullable String note,
    long version,
    @Nullable String lastRun,
    long skipped,
    @Nullable Instant queuedUntil) {

  /** A schedule that has met no other run yet. */
  public ScheduleRecord(
      String tenant,
      String name,
      String flow,
      @Nullable Instant nextAt,
      @Nullable Instant lastAt,
      boolean isPaused,
      @Nullable String note,
      long version) {
    this(tenant, name, flow, nextAt, lastAt, isPaused, note, version, null, 0, null);
  }

  public ScheduleRecord writtenBy(long op) {
    return new ScheduleRecord(
        tenant, name, flow, nextAt, lastAt, isPaused, note, op, lastRun, skipped, queuedUntil);
  }

  /** The same schedule at another instant. */
  public ScheduleRecord at(@Nullable Instant next, @Nullable Instant queued) {
    return new ScheduleRecord(
        tenant, name, flow, next, lastAt, isPaused, note, version, lastRun, skipped, queued);
  }

  public ScheduleRecord paused(boolean nowPaused) {
    return new ScheduleRecord(
        tenant,
        name,
        flow,
        nextAt,
        lastAt,
        nowPaused,
        note,
        version,
        lastRun,
        skipped,
        queuedUntil);
  }

  /** The same schedule, which starts this flow. */
  public ScheduleRecord starting(String otherFlow) {
    return new ScheduleRecord(
        tenant,
        name,
        otherFlow,
        nextAt,
        lastAt,
        isPaused,
        note,
        version,
        lastRun,
        skipped,
        queuedUntil);
  }
}
