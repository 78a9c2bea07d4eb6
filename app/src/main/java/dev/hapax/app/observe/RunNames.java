package dev.hapax.app.observe;

import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The names of runs, by number: those of the latest runs in memory, the others from the store. Many
 * readers of events ask for the same run again and again. Safe for many threads.
 */
final class RunNames {
  private static final int MOST = 10_000;

  private final LongFunction<@Nullable Run> store;
  // Guarded by itself.
  private final Map<Long, RunName> latest =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, RunName> eldest) {
          return size() > MOST;
        }
      };

  /**
   * The names of all tenants' runs.
   *
   * @param store reads a run by its number; null if there is none
   */
  RunNames(LongFunction<@Nullable Run> store) {
    this.store = store;
  }

  /** Remembers a run that was created. */
  void begun(NewRun run) {
    remember(run.number(), RunName.of(run));
  }

  /** Returns the name if it is in memory; null otherwise. Reads nothing. */
  @Nullable RunName known(long number) {
    synchronized (latest) {
      return latest.get(number);
    }
  }

  /** Returns the name; null if there is no such run. */
  @Nullable RunName of(long number) {
    RunName known = known(number);
    if (known != null) {
      return known;
    }
    Run run = store.apply(number);
    if (run == null) {
      return null;
    }
    RunName name = RunName.of(run);
    remember(number, name);
    return name;
  }

  private void remember(long number, RunName name) {
    synchronized (latest) {
      latest.put(number, name);
    }
  }
}
