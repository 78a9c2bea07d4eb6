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
 * The calls that wait at a limiter, in order of arrival: some in memory, with their thread, the
 * others parked, as a number and a place. A call that comes back gets its old place. Guarded by its
 * limiter.
 */
final class WaitingLine {
  /** Further calls are parked too, but come back as if they were new. */
  private static final int MOST_REMEMBERED = 200_000;

  private static final long SOON = 1_000_000_000L;
  private static final long LONG_GONE = 60 * SOON;
  private static final long COMES_WITHIN = 10 * SOON;

  private final TreeMap<Long, Waiter> present = new TreeMap<>();
  private final TreeMap<Long, Parked> parked = new TreeMap<>();
  private final Map<WaitingCall, Parked> remembered = new HashMap<>();
  private long arrivals;
  private int called;

  /** A call that waits in memory, with a thread. */
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

    /** Returns whether it was here before, and was unloaded meanwhile. */
    boolean isBack() {
      return isBack;
    }

    /** Returns since when it waits, parked or not. */
    long since() {
      return since;
    }

    /** Returns since when it is in memory. */
    long arrivedAt() {
      return arrivedAt;
    }

    void awaits(Signal next) {
      signal = next;
    }
  }

  /** A call that comes back when it is due, or when it is called. */
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

  /** Forgets a call that will not come back. */
  void forget(WaitingCall waitingCall) {
    Parked gone = remembered.get(waitingCall);
    if (gone != null) {
      remove(gone);
    }
  }

  /** Parks a call: it is unloaded and comes back at this time. */
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

  /** Returns how many calls in memory are before it. */
  int presentBefore(Waiter waiter) {
    return present.headMap(waiter.place).size();
  }

  /**
   * Returns how many parked calls before it are still to come. A call that was due a while ago and
   * has not come was canceled or is late; no other call waits for it.
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

  /** Wakes the first call in memory, which then looks again. */
  void raiseFirst() {
    Signal signal = present.isEmpty() ? null : present.firstEntry().getValue().signal;
    if (signal != null) {
      signal.raise();
    }
  }

  /**
   * Marks the first parked calls as called and returns their runs, so that this many are on their
   * way.
   *
   * @param last only calls before it are called; null: all
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
