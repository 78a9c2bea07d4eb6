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
 */
public record ScheduleRecord(
    String tenant,
    String name,
    String flow,
    @Nullable Instant nextAt,
    @Nullable Instant lastAt,
    boolean isPaused,
    @Nullable String note,
    long version) {

  public ScheduleRecord writtenBy(long op) {
    return new ScheduleRecord(tenant, name, flow, nextAt, lastAt, isPaused, note, op);
  }
}
