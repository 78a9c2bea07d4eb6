package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a schedule stands. When it is next is stored and not computed: so each nominal instant is
 * handled by exactly one commit, whatever clocks and processes do.
 *
 * @param flow what it starts
 * @param nextAt the nominal instant that is handled next; null if there is none any more
 * @param lastAt the nominal instant that was started last
 * @param note what was decided last that a person should know, such as what was skipped
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
