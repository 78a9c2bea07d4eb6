package dev.hapax.schedule;

import dev.hapax.run.ScheduleRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as people see it.
 *
 * @param next the next nominal instants; only the stored one if this process lacks the code
 * @param lastAt the last nominal instant whose run was started
 * @param isHere whether this process has its code; without it nothing is started
 * @param note the last decision that a person should know, such as skipped instants
 */
public record ScheduleView(
    String name,
    String flow,
    List<Instant> next,
    @Nullable Instant lastAt,
    boolean isPaused,
    boolean isHere,
    @Nullable String note) {

  static ScheduleView of(ScheduleRecord row, List<Instant> next, boolean isHere) {
    return new ScheduleView(
        row.name(), row.flow(), next, row.lastAt(), row.isPaused(), isHere, row.note());
  }
}
