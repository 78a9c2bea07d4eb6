package dev.hapax.app.observe;

import dev.hapax.run.RunStatus;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest changes of runs on this node, in the order of their commits, for readers of a stream.
 * It is kept in memory: a reader that was away for too long, or over a restart, must start anew.
 */
public final class RunFeed {
  private static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long last;
  private boolean closed;

  /**
   * Numbers of this process are higher than those of every process before it.
   *
   * @param clock gives the time of its start
   */
  public RunFeed(Clock clock) {
    this.last = clock.now().toEpochMilli() << 20;
  }

  /** One change, by the number of its run. */
  public record Entry(long id, long run, RunStatus status, Instant at) {}

  /**
   * The entries after a place in the feed.
   *
   * @param isComplete false if something in between is no longer here
   */
  public record Part(List<Entry> entries, boolean isComplete, long last) {}

  /** Adds the changes of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers) {
    lock.lock();
    try {
      long before = last;
      RunChange.in(batch, answers, this::add);
      if (last != before) {
        more.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(RunChange change) {
    RunStatus status = change.status();
    if (status != null) {
      entries.addLast(new Entry(++last, change.number(), status, change.at()));
      if (entries.size() > MOST) {
        entries.removeFirst();
      }
    }
  }

  /** Returns the place of the newest entry. */
  public long newest() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the entries after this place; waits for the first, at most this long. */
  public Part after(long id, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = atMost.toNanos();
      while (last == id && !closed && nanos > 0) {
        nanos = more.awaitNanos(nanos);
      }
      long first = entries.isEmpty() ? last + 1 : entries.getFirst().id();
      List<Entry> found = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.id() > id) {
          found.add(entry);
        }
      }
      return new Part(found, id >= first - 1 && id <= last, last);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
