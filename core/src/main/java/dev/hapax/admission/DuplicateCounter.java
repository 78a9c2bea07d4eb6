package dev.hapax.admission;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.StoppedNotes;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Counts stopped duplicates on their run, and notes when, where and from whom the last ones came.
 * This is written in a later batch, and no caller waits for it: a crash may lose the counts of the
 * last second, but never a run. Safe for many threads.
 */
public final class DuplicateCounter {
  /** If more runs than this have duplicates in a second, the others are counted without a note. */
  private static final int MOST_NOTED = 10_000;

  /**
   * How many runs one flush writes, or half of those that wait if that is more. The others are
   * written a second later, so that commits of runs do not wait for a long batch of counts.
   */
  private static final int MOST_WRITTEN = 2_000;

  /** How many runs one flush reads. */
  private static final int MOST_READS = 200;

  private final Store store;
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final Later later;
  private final ConcurrentMap<Long, Stopped> counts = new ConcurrentHashMap<>();
  private final ConcurrentMap<RunId, Stopped> countsById = new ConcurrentHashMap<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** The flush begins with this run, so that each has its turn. */
  private volatile long next;

  public DuplicateCounter(
      Store store, Committer committer, Clock clock, IdSource ids, Later later) {
    this.store = store;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
    this.later = later;
  }

  /** Runs something once, about a second from now, on a thread that may wait for the store. */
  @FunctionalInterface
  public interface Later {
    void inASecond(Runnable what);
  }

  /** The duplicates of one run since the last flush. Changed only inside {@code compute}. */
  private static final class Stopped {
    private final Deque<StoppedDuplicate> newestFirst = new ArrayDeque<>(1);
    private long count;
    private long starts;

    Stopped add(StoppedDuplicate one, boolean isNoted) {
      count++;
      if (one.door() == Door.START) {
        starts++;
      }
      if (isNoted) {
        if (newestFirst.size() == StoppedNotes.MOST) {
          newestFirst.removeLast();
        }
        newestFirst.addFirst(one);
      }
      return this;
    }

    Stopped addAll(Stopped other) {
      count += other.count;
      starts += other.starts;
      newestFirst.addAll(other.newestFirst);
      return this;
    }

    Change counted(long run) {
      List<StoppedDuplicate> last =
          newestFirst.stream()
              .sorted(Comparator.comparing(StoppedDuplicate::at).reversed())
              .limit(StoppedNotes.MOST)
              .toList();
      return new Change.CountDuplicates(run, count, starts, StoppedNotes.write(last));
    }
  }

  /**
   * Counts a duplicate. Reads and writes nothing.
   *
   * @param caller null if unknown
   */
  public void count(long run, Door door, @Nullable String caller) {
    add(counts, run, door, caller);
  }

  /**
   * As above, for a run whose number the caller does not have: a later flush reads it. Not counted
   * if very many runs wait for that.
   */
  public void count(RunId run, Door door, @Nullable String caller) {
    if (countsById.size() < MOST_NOTED) {
      add(countsById, run, door, caller);
    }
  }

  private <K> void add(ConcurrentMap<K, Stopped> to, K run, Door door, @Nullable String caller) {
    var one = new StoppedDuplicate(clock.now(), door, caller);
    boolean isNoted = to.size() < MOST_NOTED;
    to.compute(run, (_, known) -> (known == null ? new Stopped() : known).add(one, isNoted));
    flushLater();
  }

  /** Writes what was counted so far. */
  public void close() {
    flush(Integer.MAX_VALUE);
  }

  private void flush() {
    flush(MOST_WRITTEN);
  }

  /**
   * Writes counts in order of the runs' numbers, so that neighbouring rows are written together.
   */
  private void flush(int most) {
    scheduled.set(false);
    var taken = new TreeMap<Long, Stopped>();
    take(most, taken);
    takeById(taken);
    if (!taken.isEmpty()) {
      var changes = new ArrayList<Change>(taken.size());
      for (Map.Entry<Long, Stopped> one : taken.entrySet()) {
        changes.add(one.getValue().counted(one.getKey()));
      }
      committer.submit(Group.always(ids.next(), clock.now(), changes));
    }
  }

  private void take(int most, Map<Long, Stopped> taken) {
    var waiting = new TreeSet<>(counts.keySet());
    var inTurn = new ArrayList<>(waiting.tailSet(next));
    inTurn.addAll(waiting.headSet(next));
    int last = Math.min(inTurn.size(), Math.max(most, inTurn.size() / 2));
    for (Long run : inTurn.subList(0, last)) {
      Stopped stopped = counts.remove(run);
      if (stopped != null) {
        taken.put(run, stopped);
      }
    }
    if (last < inTurn.size()) {
      next = inTurn.get(last);
      flushLater();
    }
  }

  /** Reads a bounded number of runs: the others are written a second later. */
  private void takeById(Map<Long, Stopped> taken) {
    int reads = 0;
    for (RunId id : countsById.keySet()) {
      if (++reads > MOST_READS) {
        flushLater();
        return;
      }
      Stopped stopped = countsById.remove(id);
      Long run = stopped == null ? null : numberOf(id);
      if (run != null && stopped != null) {
        taken.merge(run, stopped, Stopped::addAll);
      }
    }
  }

  private void flushLater() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      later.inASecond(this::flush);
    }
  }

  /** Null if the run is gone, or the store cannot answer now: then its count is lost. */
  private @Nullable Long numberOf(RunId id) {
    try {
      Run run = store.find(id);
      return run == null ? null : run.number();
    } catch (NoAnswer e) {
      return null;
    }
  }
}
