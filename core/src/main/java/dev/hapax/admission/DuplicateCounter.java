package dev.hapax.admission;

import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts stopped duplicates on their run. The counts are written in a later batch, and no caller
 * waits for it: a crash may lose the counts of the last second, but never a run. Safe for many
 * threads.
 */
public final class DuplicateCounter {
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final Later later;
  private final ConcurrentMap<Long, Long> counts = new ConcurrentHashMap<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  public DuplicateCounter(Committer committer, Clock clock, IdSource ids, Later later) {
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
    this.later = later;
  }

  /** Runs something once, about a second from now. */
  @FunctionalInterface
  public interface Later {
    void inASecond(Runnable what);
  }

  public void count(long run) {
    counts.merge(run, 1L, Long::sum);
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      later.inASecond(this::flush);
    }
  }

  /**
   * Writes the counts in order of the runs' numbers, so that neighbouring rows are written
   * together.
   */
  public void flush() {
    scheduled.set(false);
    var taken = new TreeMap<Long, Long>();
    for (Long run : counts.keySet()) {
      Long count = counts.remove(run);
      if (count != null) {
        taken.put(run, count);
      }
    }
    if (!taken.isEmpty()) {
      var changes = new ArrayList<Change>(taken.size());
      for (Map.Entry<Long, Long> one : taken.entrySet()) {
        changes.add(new Change.CountDuplicates(one.getKey(), one.getValue()));
      }
      committer.submit(Group.always(ids.next(), clock.now(), changes));
    }
  }
}
