package dev.hapax.schedule;

import dev.hapax.run.ScheduleRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as people see it.
 *
 * @param next the nominal instants that come next; only the stored one if its code is not here
 * @param lastAt the nominal instant that was started last
 * @param isHere whether this process has its code; without it nothing is started
 * @param note what was decided last that a person should know, such as what was skipped
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
