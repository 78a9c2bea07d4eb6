package dev.hapax.app.observe;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The latest changes of runs on this node, in the order of their commits, for readers of a stream.
 * It is kept in memory: a reader that was away for too long, or over a restart, must start anew. A
 * reader sleeps while only the runs of other tenants change.
 */
public final class RunFeed {
  private static final int MOST = 10_000;

  /** All readers look after this many entries, so that none is overtaken while it sleeps. */
  private static final int LOOK_EVERY = MOST / 4;

  private final RunNames names;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Room> rooms = new HashMap<>();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long last;
  private boolean closed;

  /** Where the readers of one tenant wait. */
  private final class Room {
    private final Condition more = lock.newCondition();
    private int readers;
  }

  /**
   * Numbers of this process are higher than those of every process before it.
   *
   * @param clock gives the time of its start
   * @param store reads a run by its number; null if there is none
   */
  public RunFeed(Clock clock, LongFunction<@Nullable Run> store) {
    this.last = clock.now().toEpochMilli() << 20;
    this.names = new RunNames(store);
  }

  /**
   * One change, by the number of its run.
   *
   * @param name null if it is not in memory
   */
  record Entry(long id, long run, @Nullable RunName name, RunStatus status, Instant at) {
    private boolean mayBeOf(String tenant) {
      return name == null || name.tenant().equals(tenant);
    }
  }

  /**
   * The entries after a place in the feed.
   *
   * @param isComplete false if something in between is no longer here
   */
  record Part(List<Entry> entries, boolean isComplete, long last) {}

  /** Adds the changes of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers) {
    lock.lock();
    try {
      long before = last;
      Set<String> tenants = new HashSet<>();
      RunChange.in(batch, answers, change -> add(change, tenants));
      boolean isForAll = before / LOOK_EVERY != last / LOOK_EVERY || tenants.contains("");
      if (isForAll) {
        rooms.values().forEach(room -> room.more.signalAll());
      } else {
        tenants.forEach(this::wake);
      }
    } finally {
      lock.unlock();
    }
  }

  private void wake(String tenant) {
    Room room = rooms.get(tenant);
    if (room != null) {
      room.more.signalAll();
    }
  }

  /**
   * Adds one change.
   *
   * @param tenants gets the tenant of its run, or an empty name if it is not known
   */
  private void add(RunChange change, Set<String> tenants) {
    NewRun begun = change.begun();
    if (begun != null) {
      names.begun(begun);
    }
    RunStatus status = change.status();
    if (status != null) {
      RunName name = names.known(change.number());
      entries.addLast(new Entry(++last, change.number(), name, status, change.at()));
      tenants.add(name == null ? "" : name.tenant());
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

  /**
   * Returns the entries after this place that may concern runs of this tenant; waits for the first,
   * at most this long.
   */
  Part after(String tenant, long id, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = atMost.toNanos();
      long seen = id;
      List<Entry> found = newer(tenant, seen);
      while (found.isEmpty() && isHere(seen) && !closed && nanos > 0) {
        seen = last;
        nanos = await(tenant, nanos);
        found = newer(tenant, seen);
      }
      return new Part(found, isHere(seen), last);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the name of the entry's run; null if the run is gone. */
  @Nullable RunName nameOf(Entry entry) {
    RunName name = entry.name();
    return name != null ? name : names.of(entry.run());
  }

  /** One wait; the caller looks again and repeats it. */
  @SuppressWarnings("WaitNotInLoop")
  private long await(String tenant, long nanos) throws InterruptedException {
    Room room = rooms.computeIfAbsent(tenant, _ -> new Room());
    room.readers++;
    try {
      return room.more.awaitNanos(nanos);
    } finally {
      if (--room.readers == 0) {
        rooms.remove(tenant);
      }
    }
  }

  /** Returns how many readers of this tenant wait, and were not woken. */
  int asleep(String tenant) {
    lock.lock();
    try {
      Room room = rooms.get(tenant);
      return room == null ? 0 : lock.getWaitQueueLength(room.more);
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing after this place is gone. */
  private boolean isHere(long id) {
    long first = entries.isEmpty() ? last + 1 : entries.getFirst().id();
    return id >= first - 1 && id <= last;
  }

  /** Looks at the newest first: a reader is seldom far behind. */
  private List<Entry> newer(String tenant, long id) {
    List<Entry> found = new ArrayList<>();
    for (Iterator<Entry> all = entries.descendingIterator(); all.hasNext(); ) {
      Entry entry = all.next();
      if (entry.id() <= id) {
        break;
      }
      if (entry.mayBeOf(tenant)) {
        found.add(entry);
      }
    }
    Collections.reverse(found);
    return found;
  }

  /** Ends all waits. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      rooms.values().forEach(room -> room.more.signalAll());
    } finally {
      lock.unlock();
    }
  }
}
