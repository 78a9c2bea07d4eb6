package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.wire.Page;
import dev.hapax.app.wire.RunView;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds runs that are retrying something. Their journals say so and their rows do not, so this
 * reads the journals of runs that have not ended. It reads a bounded number for each page, so a
 * page may be short or empty and still name a next one.
 */
final class RetryingRuns {
  static final String WORD = "retrying";

  private static final int MOST_READ = 500;

  /** Runs may be large, so they are read a few at a time. */
  private static final int PART = 8;

  private static final long MOST_BYTES = 4 << 20;

  /** Runs that wait for a person, or in a line, do not retry. */
  private static final Set<RunStatus> OPEN =
      Set.of(RunStatus.RUNNING, RunStatus.WAITING, RunStatus.CANCELING, RunStatus.COMPENSATING);

  private RetryingRuns() {}

  /**
   * Returns a page of them, newest first.
   *
   * @param filter without a status
   * @param admitted selects among those
   * @param isPreview whether large values are left out
   */
  static Page<RunView> page(
      Hapax hapax, RunFilter filter, int limit, Predicate<Run> admitted, boolean isPreview) {
    List<RunView> found = new ArrayList<>();
    RunFilter next = filter.anyOf(OPEN).limit(PART);
    long bytes = 0;
    int read = 0;
    while (true) {
      List<Run> part = hapax.runs(next);
      for (Run run : part) {
        if (admitted.test(run) && hapax.isRetrying(run)) {
          RunView row = Runs.row(hapax, run);
          found.add(isPreview ? row.preview() : row);
          bytes += Runs.bytes(run);
        }
        read++;
        if (found.size() == limit || read == MOST_READ || bytes > MOST_BYTES) {
          return new Page<>(found, isLast(hapax, next, run) ? null : Cursor.of(run.number()));
        }
      }
      if (part.size() < PART) {
        return new Page<>(found, null);
      }
      next = next.before(part.getLast().number());
    }
  }

  private static boolean isLast(Hapax hapax, RunFilter filter, Run run) {
    return hapax.runs(filter.before(run.number()).limit(1)).isEmpty();
  }
}
