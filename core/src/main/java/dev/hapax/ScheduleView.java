package dev.hapax;

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
 * @param skipped how many instants got no run because of other runs: by {@code overlap}, or by the
 *     flow's concurrency limit
 * @param waitsFor the id of the run whose end the next instant waits for; null if it does not wait
 */
public record ScheduleView(
    String name,
    String flow,
    List<Instant> next,
    @Nullable Instant lastAt,
    boolean isPaused,
    boolean isHere,
    @Nullable String note,
    long skipped,
    @Nullable String waitsFor) {

  static ScheduleView of(ScheduleRecord row, List<Instant> next, boolean isHere) {
    return new ScheduleView(
        row.name(),
        row.flow(),
        next,
        row.lastAt(),
        row.isPaused(),
        isHere,
        row.note(),
        row.skipped(),
        row.queuedUntil() == null ? null : row.lastRun());
  }
}
