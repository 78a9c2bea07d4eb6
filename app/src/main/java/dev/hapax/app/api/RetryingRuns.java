package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.wire.Page;
import dev.hapax.app.wire.RunView;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.RunFilter;
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

  /** Runs that wait for a person, or in a line, do not retry. */
  private static final Set<RunStatus> OPEN =
      Set.of(RunStatus.RUNNING, RunStatus.WAITING, RunStatus.CANCELING, RunStatus.COMPENSATING);

  private RetryingRuns() {}

  /**
   * Returns a page of them, newest first.
   *
   * @param filter without a status
   * @param admitted selects among those
   */
  static Page<RunView> page(Hapax hapax, RunFilter filter, int limit, Predicate<Run> admitted) {
    List<Run> open = open(hapax, filter);
    List<RunView> found = new ArrayList<>();
    for (int i = 0; i < Math.min(open.size(), MOST_READ); i++) {
      Run run = open.get(i);
      if (found.size() == limit) {
        return new Page<>(found, Cursor.of(open.get(i - 1).number()));
      }
      if (admitted.test(run) && hapax.isRetrying(run)) {
        found.add(RunView.of(run));
      }
    }
    boolean isMore = open.size() > MOST_READ;
    return new Page<>(found, isMore ? Cursor.of(open.get(MOST_READ - 1).number()) : null);
  }

  /** Returns one more than are read, if there are as many. */
  private static List<Run> open(Hapax hapax, RunFilter filter) {
    return hapax.runs(filter.anyOf(OPEN).limit(MOST_READ + 1));
  }
}
