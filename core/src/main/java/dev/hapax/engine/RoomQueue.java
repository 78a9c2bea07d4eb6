package dev.hapax.engine;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The runs that wait for room in memory, each of them once. Of those that came first, the first for
 * which there is room is the next to go; if there is none, the run that needs least. So the next
 * run is found at a bounded cost, however many wait. Safe for many threads.
 */
final class RoomQueue {
  private static final int MOST_LOOKS = 32;

  private final LongPredicate hasRoomFor;
  private final LongUnaryOperator needOf;
  // All guarded by this.
  private final Map<Long, Waiter> byArrival = new LinkedHashMap<>();
  private final TreeSet<Waiter> byNeed =
      new TreeSet<>(Comparator.comparingLong(Waiter::need).thenComparingLong(Waiter::arrival));
  private long arrivals;

  /**
   * A waiting run.
   *
   * @param need in bytes, when it was last asked for
   */
  private record Waiter(long run, long need, long arrival) {}

  /**
   * A queue in which no run waits.
   *
   * @param hasRoomFor whether there is room for a run; then also for runs that need less
   * @param needOf how many bytes a run needs now
   */
  RoomQueue(LongPredicate hasRoomFor, LongUnaryOperator needOf) {
    this.hasRoomFor = hasRoomFor;
    this.needOf = needOf;
  }

  /** Adds a run, unless it waits already. */
  synchronized void add(long run) {
    Waiter before = byArrival.get(run);
    put(new Waiter(run, needOf.applyAsLong(run), before == null ? ++arrivals : before.arrival()));
  }

  /** What the run needs has changed, if it waits at all. */
  synchronized void look(long run) {
    if (byArrival.containsKey(run)) {
      add(run);
    }
  }

  private void put(Waiter waiter) {
    Waiter before = byArrival.put(waiter.run(), waiter);
    if (before != null) {
      byNeed.remove(before);
    }
    byNeed.add(waiter);
  }

  /** Removes and returns the next run; null if there is room for none. */
  synchronized @Nullable Long next() {
    Waiter next = firstThatFits();
    if (next == null) {
      return null;
    }
    byArrival.remove(next.run());
    byNeed.remove(next);
    return next.run();
  }

  private @Nullable Waiter firstThatFits() {
    int looks = 0;
    for (Waiter waiter : byArrival.values()) {
      if (looks++ == MOST_LOOKS) {
        return least();
      }
      if (hasRoomFor.test(waiter.run())) {
        return waiter;
      }
    }
    return null; // all were looked at
  }

  private @Nullable Waiter least() {
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      Waiter least = byNeed.first();
      if (needOf.applyAsLong(least.run()) == least.need()) {
        return hasRoomFor.test(least.run()) ? least : null;
      }
      look(least.run());
    }
    return null;
  }

  synchronized boolean isEmpty() {
    return byArrival.isEmpty();
  }
}
