package dev.hapax.engine.parts;

import dev.hapax.engine.writing.DelayedFlush;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.Due;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes runs when they are due. It reads the store only when something is due or was noted, and
 * never polls: an idle engine is silent. One thread.
 */
public final class Timer {
  private static final Logger log = LoggerFactory.getLogger(Timer.class);
  private static final int AT_ONCE = 1000;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** Bounds the delay until a wall clock that jumps forward is noticed; costs no query. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(5);

  private final Store store;
  private final Clock clock;
  private final Threads threads;
  private final LongConsumer wake;
  private final ThreadGuard guard;
  private final DelayedFlush delayedFlush;
  private final Signal stopped;
  // Times that only this process knows, such as the timeout of a run that is in memory.
  private final ConcurrentSkipListMap<Due, Runnable> alarms =
      new ConcurrentSkipListMap<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private volatile @Nullable Signal sleeping;
  private volatile boolean closing;
  // Guarded by this: everything up to the cursor has been woken.
  private @Nullable Due cursor;
  // Guarded by this: where the cursor will be after the read that is under way.
  private @Nullable Instant reading;
  private int looks;
  private @Nullable Instant nextDue;

  public Timer(Store store, Clock clock, Threads threads, LongConsumer wake, ThreadGuard guard) {
    this.store = store;
    this.clock = clock;
    this.threads = threads;
    this.wake = wake;
    this.guard = guard;
    this.delayedFlush = new DelayedFlush(clock, this::look);
    this.stopped = threads.signal();
  }

  public DelayedFlush delayedFlush() {
    return delayedFlush;
  }

  public void start() {
    noteNext(firstDue()); // runs that were adopted may have noted theirs already
    clock.whenMoved(this::look);
    guard.platform("hapax-timer", this::loop);
  }

  private @Nullable Instant firstDue() {
    try {
      return store.nextDue(null);
    } catch (StoreUnavailable e) {
      return Instant.EPOCH; // the loop asks until it gets an answer
    }
  }

  /** Notes that a commit that has landed made a run without an owner due at this time. */
  public void noteDue(long run, Instant at) {
    Instant due = new Due(at, run).at();
    boolean passed;
    synchronized (this) {
      passed = isPassed(due);
      if (!passed) {
        noteNext(due);
      }
    }
    if (passed) {
      wake.accept(run); // the cursor has passed, or is about to, before the row was there
    } else {
      look();
    }
  }

  /** A read under way may have missed the row. */
  private synchronized boolean isPassed(Instant at) {
    return (cursor != null && !at.isAfter(cursor.at()))
        || (reading != null && !at.isAfter(reading));
  }

  private synchronized void noteNext(@Nullable Instant at) {
    if (at != null && (nextDue == null || at.isBefore(nextDue))) {
      nextDue = at;
    }
  }

  /** Goes through everything that is due once more; runs in memory are left alone. */
  public void lookAtAll() {
    synchronized (this) {
      cursor = null;
      looks++;
      nextDue = Instant.EPOCH;
    }
    look();
  }

  /**
   * Another node has written that some run is due at this time, or has left a run that was due
   * before where it was.
   */
  public void heard(Instant due) {
    if (due.isAfter(clock.now())) {
      noteNext(due);
      look();
    } else {
      lookAtAll();
    }
  }

  /** Does something at this time if this process still lives; not durable. */
  public void alarm(Instant at, long run, Runnable what) {
    alarms.put(new Due(at, run), what);
    look();
  }

  public void cancelAlarm(Instant at, long run) {
    alarms.remove(new Due(at, run));
  }

  public void close() {
    closing = true;
    look();
    stopped.await();
  }

  private void look() {
    Signal signal = sleeping;
    if (signal != null) {
      signal.raise();
    }
  }

  private void loop() {
    try {
      while (!closing) {
        Signal signal = threads.signal();
        sleeping = signal;
        Duration pause = workOrWait();
        if (!closing && !pause.isZero()) {
          signal.await(pause);
        }
      }
    } finally {
      stopped.raise();
    }
  }

  /** A store that cannot answer must not end all waits; the guard handles everything else. */
  private Duration workOrWait() {
    try {
      return work();
    } catch (StoreUnavailable e) {
      log.warn(
          "could not read which runs are due; the next try is in {}: {}",
          AFTER_FAILURE,
          e.getMessage());
      return AFTER_FAILURE;
    }
  }

  /** Does what is due and returns how long to sleep. */
  private Duration work() {
    Duration pause = LONGEST_SLEEP;
    pause = shorter(pause, delayedFlush.flush());
    pause = shorter(pause, ringAlarms());
    return shorter(pause, wakeDue());
  }

  private @Nullable Duration ringAlarms() {
    while (!alarms.isEmpty()) {
      Instant now = clock.now();
      var first = alarms.firstEntry();
      if (first == null || first.getKey().at().isAfter(now)) {
        return first == null ? null : Duration.between(now, first.getKey().at());
      }
      alarms.remove(first.getKey());
      first.getValue().run();
    }
    return null;
  }

  private @Nullable Duration wakeDue() {
    Instant now = clock.now();
    Due from;
    int seen;
    synchronized (this) {
      if (nextDue == null || nextDue.isAfter(now)) {
        return nextDue == null ? null : Duration.between(now, nextDue);
      }
      from = cursor;
      seen = looks;
      reading = now;
    }
    List<Due> due = read(from, now);
    boolean all = due.size() < AT_ONCE;
    synchronized (this) {
      reading = null;
      if (looks != seen) {
        return Duration.ZERO; // meanwhile asked to begin again
      }
      cursor = all ? new Due(now, Long.MAX_VALUE) : due.getLast();
      nextDue = all ? null : now;
    }
    // Before anything that can fail: the cursor has passed these, so no other read finds them.
    due.forEach(one -> wake.accept(one.run()));
    if (all) {
      // Read after the cursor was moved: the writer of a row that lands in between notes it.
      noteNext(nextAfter(now));
    }
    return Duration.ZERO;
  }

  private @Nullable Instant nextAfter(Instant now) {
    try {
      return store.nextDue(new Due(now, Long.MAX_VALUE));
    } catch (StoreUnavailable e) {
      noteNext(now); // it is looked for again behind the cursor
      throw e;
    }
  }

  private List<Due> read(@Nullable Due from, Instant now) {
    try {
      return store.due(from, now, AT_ONCE);
    } catch (RuntimeException e) {
      synchronized (this) {
        reading = null;
      }
      throw e;
    }
  }

  private static Duration shorter(Duration pause, @Nullable Duration other) {
    return other != null && other.compareTo(pause) < 0 ? other : pause;
  }
}
