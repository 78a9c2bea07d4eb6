package dev.hapax.limit;

import dev.hapax.time.Signal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits before a limiter, in order of arrival: some in memory, with their thread, the others
 * parked, as a number and a place. One that comes back has its place again. Guarded by its limiter.
 */
final class WaitingLine {
  /** More are parked all the same, but come back as if they were new. */
  private static final int MOST_REMEMBERED = 200_000;

  private static final long SOON = 1_000_000_000L;
  private static final long LONG_GONE = 60 * SOON;
  private static final long COMES_WITHIN = 10 * SOON;

  private final TreeMap<Long, Waiter> present = new TreeMap<>();
  private final TreeMap<Long, Parked> parked = new TreeMap<>();
  private final Map<WaitingCall, Parked> remembered = new HashMap<>();
  private long arrivals;
  private int called;

  /** Somebody who waits with a thread. */
  static final class Waiter {
    private final WaitingCall waitingCall;
    private final long place;
    private final long since;
    private final long arrivedAt;
    private final boolean isBack;
    private @Nullable Signal signal;

    private Waiter(WaitingCall waitingCall, long place, long now) {
      this.waitingCall = waitingCall;
      this.place = place;
      this.since = now;
      this.arrivedAt = now;
      this.isBack = false;
    }

    private Waiter(Waiter before, long now) {
      this.waitingCall = before.waitingCall;
      this.place = before.place;
      this.since = before.since;
      this.arrivedAt = now;
      this.isBack = true;
    }

    /** Whether it was here before, and left memory meanwhile. */
    boolean isBack() {
      return isBack;
    }

    /** Since when it waits, parked or not. */
    long since() {
      return since;
    }

    /** Since when it is in memory. */
    long arrivedAt() {
      return arrivedAt;
    }

    void awaits(Signal next) {
      signal = next;
    }
  }

  /** Somebody who comes back when it is due, or when called. */
  private static final class Parked {
    private final Waiter was;
    private final long dueAt;
    private @Nullable Long calledAt;

    private Parked(Waiter was, long dueAt) {
      this.was = was;
      this.dueAt = dueAt;
    }
  }

  Waiter arrive(WaitingCall waitingCall, long now) {
    Parked before = remembered.get(waitingCall);
    if (before != null) {
      remove(before);
    }
    Waiter waiter =
        before == null ? new Waiter(waitingCall, arrivals++, now) : new Waiter(before.was, now);
    present.put(waiter.place, waiter);
    return waiter;
  }

  void leave(Waiter waiter) {
    present.remove(waiter.place);
  }

  /** It does not come back. */
  void forget(WaitingCall waitingCall) {
    Parked gone = remembered.get(waitingCall);
    if (gone != null) {
      remove(gone);
    }
  }

  /** It leaves memory and comes back at this time. */
  void park(Waiter waiter, long dueAt, long now) {
    leave(waiter);
    forgetLongGone(now);
    if (parked.size() < MOST_REMEMBERED) {
      var place = new Parked(waiter, dueAt);
      parked.put(waiter.place, place);
      remembered.put(waiter.waitingCall, place);
    }
  }

  private void forgetLongGone(long now) {
    while (!parked.isEmpty() && now - parked.firstEntry().getValue().dueAt > LONG_GONE) {
      remove(parked.firstEntry().getValue());
    }
  }

  private void remove(Parked one) {
    parked.remove(one.was.place);
    remembered.remove(one.was.waitingCall);
    called -= one.calledAt == null ? 0 : 1;
  }

  boolean isFirst(Waiter waiter) {
    return present.firstKey() == waiter.place;
  }

  /** How many in memory are before it. */
  int presentBefore(Waiter waiter) {
    return present.headMap(waiter.place).size();
  }

  /**
   * How many are parked before it and still to come. Whoever was due a while ago and has not come
   * was canceled, or is late: nobody waits for it.
   */
  int parkedBefore(Waiter waiter, long now) {
    if (parked.isEmpty()) {
      return 0;
    }
    boolean isLast = parked.lastKey() < waiter.place;
    int before = isLast ? parked.size() : parked.headMap(waiter.place).size();
    for (Parked one : parked.headMap(waiter.place).values()) {
      if (now - one.dueAt < SOON) {
        break;
      }
      before--;
    }
    return before;
  }

  int present() {
    return present.size();
  }

  int size() {
    return present.size() + parked.size();
  }

  /** Whoever is first in memory looks again. */
  void raiseFirst() {
    Signal signal = present.isEmpty() ? null : present.firstEntry().getValue().signal;
    if (signal != null) {
      signal.raise();
    }
  }

  /**
   * The first of those who are parked and were not called, so that this many are on their way.
   *
   * @param last only those before it are called; null: all
   */
  List<Long> call(int wanted, long now, @Nullable Waiter last) {
    if (parked.isEmpty() || called >= wanted) {
      return List.of();
    }
    var runs = new ArrayList<Long>();
    Map<Long, Parked> some = last == null ? parked : parked.headMap(last.place);
    for (Iterator<Parked> all = some.values().iterator(); called < wanted && all.hasNext(); ) {
      Parked one = all.next();
      Long before = one.calledAt;
      if (before == null) {
        one.calledAt = now;
        called++;
        runs.add(one.was.waitingCall.run());
      } else if (now - before > COMES_WITHIN) {
        all.remove();
        remembered.remove(one.was.waitingCall);
        called--;
      }
    }
    return runs;
  }
}
