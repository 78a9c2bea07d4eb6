package dev.hapax.limit;

import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Admits calls in order of arrival, as fast as its limits allow. A call whose turn is near waits in
 * memory. A call whose turn is far away gets a time to come back; its run is unloaded, and is
 * called earlier if there is room. Nothing is durable here: if the process dies, the run comes back
 * at its due time and waits in line again. Safe for many threads; never blocks under its monitor.
 */
public final class DestinationLimiter {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_WAIT = Duration.ofDays(1).toNanos();
  private static final long SPREAD = 1_000_000L;
  private static final int MOST_CALLED = 16;

  private final String what;
  private final Clock clock;
  private final Threads threads;
  private final @Nullable LongConsumer wake;
  // All guarded by this.
  private final WaitingLine line = new WaitingLine();
  private final Turns turns;
  private final Breaker breaker = new Breaker();
  private Limits limits = Limits.NONE;
  private long pausedUntil;
  private int underWay;
  private long usualCall;

  /**
   * Creates a limiter without limits.
   *
   * @param what the limited thing in words, for the history
   * @param wake called with a run that may come back early; null if all runs come back when due
   */
  DestinationLimiter(String what, Clock clock, Threads threads, @Nullable LongConsumer wake) {
    this.what = what;
    this.clock = clock;
    this.threads = threads;
    this.wake = wake;
    this.turns = new Turns(clock.nanos());
    this.pausedUntil = clock.nanos();
  }

  /** Returns the limited thing in words. */
  public String what() {
    return what;
  }

  /** Applies these limits from now on. */
  public void limit(Limits changed) {
    synchronized (this) {
      if (limits.equals(changed)) {
        return;
      }
      limits = changed;
      turns.limit(changed.rate(), clock.nanos());
      breaker.limit(changed.breaker());
    }
    moved();
  }

  /** Applies this share of the rate from now on. */
  void share(Turns.Share part) {
    boolean isNew;
    synchronized (this) {
      isNew = turns.share(part, clock.nanos());
    }
    if (isNew) {
      moved();
    }
  }

  /** The answer to a call that arrives. */
  public sealed interface Entry {
    /** The call may go. The caller reports its end to the pass. */
    record Passed(Pass pass) implements Entry {}

    /**
     * The turn is far away: the run is unloaded and comes back at this time.
     *
     * @param isNews whether this is its first such answer
     */
    record Later(Instant at, String because, boolean isNews) implements Entry {}

    /** The call no longer wants to wait. */
    record GivenUp() implements Entry {}
  }

  /**
   * Joins the line, or returns to its place in the line.
   *
   * @param wanted how many turns of the rate the call needs
   * @param patience how long the call may wait in memory
   * @param givesUp asked before the call waits, and from time to time during the wait
   */
  public Entry enter(
      WaitingCall waitingCall, int wanted, Duration patience, BooleanSupplier givesUp) {
    WaitingLine.Waiter me;
    synchronized (this) {
      me = line.arrive(waitingCall, clock.nanos());
    }
    boolean isParked = false;
    try {
      while (true) {
        Pass pass = tryToGo(me, wanted);
        if (pass != null) {
          return new Entry.Passed(pass);
        }
        if (givesUp.getAsBoolean()) { // outside the monitor, because it may read
          return new Entry.GivenUp();
        }
        Entry.Later later = awaitOrPark(me, patience);
        if (later != null) {
          isParked = true;
          return later;
        }
      }
    } finally {
      leave(me, isParked);
    }
  }

  private synchronized @Nullable Pass tryToGo(WaitingLine.Waiter me, int wanted) {
    long now = clock.nanos();
    if (!mayGo(me, now)) {
      return null;
    }
    line.leave(me);
    return go(wanted, now);
  }

  /** Returns null if it is worth another try. */
  private Entry.@Nullable Later awaitOrPark(WaitingLine.Waiter me, Duration patience) {
    Signal signal;
    Duration pause;
    synchronized (this) {
      long now = clock.nanos();
      long rest = patience.toNanos() - (now - me.arrivedAt());
      long wait = estimate(me, now);
      if (wait > rest || rest <= 0) {
        return mayGo(me, now) ? null : park(me, wait, now);
      }
      signal = threads.signal();
      me.awaits(signal);
      pause = pause(me, Math.min(rest, SECOND), now);
    }
    signal.await(pause);
    return null;
  }

  /** Goes in spite of the limits; for a caller that has begun already. */
  public synchronized Pass goAnyway(int wanted) {
    return go(wanted, clock.nanos());
  }

  /** Calls before it in line have their turns first, even if they are not back yet. */
  private boolean mayGo(WaitingLine.Waiter me, long now) {
    return line.isFirst(me)
        && closedFor(now) == 0
        && !isFull()
        && !breaker.isProbed()
        && turns.until(now, line.parkedBefore(me, now)) == 0;
  }

  /** Returns how long no call may go to the destination. */
  private long closedFor(long now) {
    return Math.max(breaker.until(now), pausedUntil - now > 0 ? pausedUntil - now : 0);
  }

  private boolean isFull() {
    Integer most = limits.calls();
    return most != null && underWay >= most;
  }

  /** Returns the approximate wait, if nothing changes. */
  private long estimate(WaitingLine.Waiter me, long now) {
    int before = line.presentBefore(me) + line.parkedBefore(me, now);
    Integer most = limits.calls();
    long calls = most == null ? 0 : usualCall / most * (isFull() ? before + 1L : before);
    long closed = closedFor(now);
    // The calls come back one after the other, not all at once.
    long spread = closed == 0 ? 0 : closed + Math.max(before * SPREAD, turns.times(before));
    long wait = Math.max(turns.until(now, before), Math.max(calls, spread));
    return Math.min(LONGEST_WAIT, wait);
  }

  /** Returns how long to sleep: until its turn, or until the call before it has gone. */
  private Duration pause(WaitingLine.Waiter me, long atMost, long now) {
    long until = Math.max(closedFor(now), turns.until(now, line.parkedBefore(me, now)));
    boolean isCalled = !line.isFirst(me) || isFull() || breaker.isProbed();
    return Duration.ofNanos(Math.clamp(isCalled ? atMost : until, 1, atMost));
  }

  /** The longer a call has waited in vain, the later it looks again. */
  private Entry.Later park(WaitingLine.Waiter me, long estimate, long now) {
    long waited = Math.min(LONGEST_WAIT, now - me.since());
    long wait = Math.max(estimate, isFull() || breaker.isProbed() ? Math.max(waited, SECOND) : 0);
    boolean isNews = !me.isBack();
    line.park(me, now + wait, now);
    Instant at = Instant.ofEpochMilli(clock.now().plusNanos(wait + 999_999).toEpochMilli());
    return new Entry.Later(at, what + ": " + reason(now), isNews);
  }

  private String reason(long now) {
    if (pausedUntil - now > 0) {
      return "the destination asked for a pause";
    }
    if (breaker.isOpen()) {
      return "its circuit breaker is open after %d failures in a row".formatted(breaker.failures());
    }
    return isFull()
        ? "%d calls are under way, which is the limit".formatted(underWay)
        : "at most " + limits.rate() + turns.shared() + ", and other calls come first";
  }

  private Pass go(int wanted, long now) {
    underWay++;
    return new Pass(turns.take(now, wanted), breaker.begin(), now);
  }

  /**
   * A call that has just parked is not called back for room that earlier calls have yet to take.
   */
  private void leave(WaitingLine.Waiter me, boolean isParked) {
    synchronized (this) {
      line.leave(me);
    }
    moved(isParked ? me : null);
  }

  /** Forgets a run that will not come back. */
  public synchronized void forget(WaitingCall waitingCall) {
    line.forget(waitingCall);
  }

  /** Handles a change in the line: the first call looks again, and parked calls are called back. */
  private void moved() {
    moved(null);
  }

  private void moved(WaitingLine.@Nullable Waiter last) {
    List<Long> toCall;
    synchronized (this) {
      line.raiseFirst();
      long now = clock.nanos();
      toCall = wake == null ? List.of() : line.call(room(now) - line.present(), now, last);
    }
    if (wake != null) {
      toCall.forEach(wake::accept);
    }
  }

  /** Returns how many calls could go within a second. */
  private int room(long now) {
    if (closedFor(now) > 0 || breaker.isProbed() || turns.until(now) > SECOND) {
      return 0;
    }
    int most = breaker.isOpen() ? 1 : MOST_CALLED;
    Integer calls = limits.calls();
    int free = calls == null ? most : Math.min(most, calls - underWay);
    return Math.min(free, Math.max(1, turns.within(SECOND, most)));
  }

  /**
   * The current state.
   *
   * @param closedUntil when calls continue, if the destination asked for a pause or does not answer
   * @param breaker {@code closed}, {@code open} or {@code half-open}
   */
  public record State(
      Limits limits, String breaker, @Nullable Instant closedUntil, int underWay, int waiting) {}

  public synchronized State state() {
    long closed = closedFor(clock.nanos());
    String word = breaker.isProbed() ? "half-open" : breaker.isOpen() ? "open" : "closed";
    Instant until = closed == 0 ? null : clock.now().plusNanos(closed);
    return new State(limits, word, until, underWay, line.size());
  }

  /** The pass of a call that has been admitted. Not safe for use by several threads at once. */
  public final class Pass {
    private final Turns.Taken turn;
    private final boolean isProbe;
    private final long began;
    private boolean isUsed;
    private boolean isOver;

    private Pass(Turns.Taken turn, boolean isProbe, long began) {
      this.turn = turn;
      this.isProbe = isProbe;
      this.began = began;
    }

    /**
     * Records that a call was made, and whether its answer shows that the destination works.
     *
     * @return whether this call has opened the circuit breaker
     */
    public boolean heard(boolean isAlive) {
      boolean hasOpened;
      synchronized (DestinationLimiter.this) {
        hasOpened = breaker.hear(isAlive, isProbe && !isUsed, clock.nanos());
        isUsed = true;
      }
      moved();
      return hasOpened;
    }

    /** Stops calls for this long, because the destination asked for it. */
    public void pause(Duration time) {
      synchronized (DestinationLimiter.this) {
        long until = clock.nanos() + time.toNanos();
        pausedUntil = until - pausedUntil > 0 ? until : pausedUntil;
      }
    }

    /** Ends the call. Gives back a turn that was not used. */
    public void over() {
      synchronized (DestinationLimiter.this) {
        if (isOver) {
          return;
        }
        isOver = true;
        underWay--;
        if (isUsed) {
          long took = clock.nanos() - began;
          usualCall = usualCall == 0 ? took : (usualCall * 7 + took) / 8;
        } else {
          turns.giveBack(turn);
          if (isProbe) {
            breaker.unheard();
          }
        }
      }
      moved();
    }
  }
}
