package dev.hapax.testkit.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds every thread of a simulation and lets exactly one run. The thread that gives the baton back
 * picks the next one, by a choice of the seed. When no thread is ready, time moves to the next
 * event. So one turn is the code between two port calls, and time does not move within it. Only the
 * holder of the baton touches the state here.
 */
final class Scheduler {
  /**
   * The workload needs far fewer turns: more is a loop in which time does not move. Five nodes that
   * renew short leases for a day take some hundred thousand.
   */
  static final int MOST_TURNS = 1_000_000;

  private static final Duration LONGEST_TURN = Duration.ofSeconds(5);

  private final Choices choices;
  private final Trace trace;
  private final int mostTurns;
  private final List<SimulatedThread> all = new ArrayList<>();
  private final List<SimulatedThread> ready = new ArrayList<>();
  private final Deque<SimulatedThread> stranded = new ArrayDeque<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  private final CountDownLatch over = new CountDownLatch(1);
  private Runnable everyTurn = () -> {};
  private @Nullable SimulatedThread current;
  private long nanos;
  private long eventsMade;
  private Duration suspended = Duration.ZERO;
  private boolean ending;
  private volatile int turns;
  private volatile @Nullable String trouble;

  /** An event in the world at a time. It runs on the turn of any actor. */
  private record Event(long at, long number, boolean endsWait, Runnable what) {}

  Scheduler(Choices choices, Trace trace) {
    this(choices, trace, MOST_TURNS);
  }

  Scheduler(Choices choices, Trace trace, int mostTurns) {
    this.choices = choices;
    this.trace = trace;
    this.mostTurns = mostTurns;
  }

  // ---- for the thread that runs the simulation

  /** Runs until the given actor has ended and all others are stopped. */
  void run(String name, Runnable body) {
    spawn(
        null,
        name,
        () -> {
          body.run();
          ending = true;
        });
    SimulatedThread first = next();
    if (first != null) {
      first.go.release();
    }
    watch();
  }

  /**
   * Stops a turn that takes too long. A turn takes microseconds; one that blocks outside the ports
   * would hang for ever.
   */
  private void watch() {
    try {
      int before = -1;
      while (!over.await(LONGEST_TURN.toMillis(), TimeUnit.MILLISECONDS)) {
        if (turns == before) {
          throw new SimulationStuck(
              "a turn of " + current + " takes longer than " + LONGEST_TURN, threads());
        }
        before = turns;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    }
    String problem = trouble;
    if (problem != null) {
      throw new SimulationStuck(problem, threads());
    }
  }

  private String threads() {
    var text = new StringBuilder();
    for (SimulatedThread actor : all) {
      text.append(actor).append(actor.isWaiting ? " waits" : " is ready").append('\n');
    }
    return text.toString();
  }

  // ---- for actors

  long nanos() {
    return nanos;
  }

  int turns() {
    return turns;
  }

  /** Sets an action that runs before every turn, for example to crash a node in it. */
  void everyTurn(Runnable what) {
    everyTurn = what;
  }

  SimulatedThread current() {
    SimulatedThread actor = current;
    if (actor == null) {
      throw new IllegalStateException("nobody holds the baton");
    }
    return actor;
  }

  /** Stops code of a dead node, also where it has swallowed that once. */
  void checkAlive() {
    if (current().isStranded()) {
      throw new NodeDown();
    }
  }

  String who() {
    SimulatedThread actor = current;
    return actor == null ? "world" : actor.toString();
  }

  void at(long when, Runnable what) {
    events.add(new Event(Math.max(when, nanos), eventsMade++, false, what));
  }

  void after(Duration delay, Runnable what) {
    at(later(delay), what);
  }

  /**
   * Suspends all threads for this long as soon as none is ready. The world goes on: requests on
   * their way arrive in time, and waits that end meanwhile end late.
   */
  void suspend(Duration time) {
    suspended = suspended.plus(time);
  }

  private void sleepThrough() {
    long until = later(suspended);
    suspended = Duration.ZERO;
    var waits = new ArrayList<Event>();
    for (Event event; (event = events.peek()) != null && event.at() <= until; ) {
      events.poll();
      if (event.endsWait()) {
        waits.add(event);
      } else {
        nanos = Math.max(nanos, event.at());
        event.what().run();
      }
    }
    nanos = until;
    events.addAll(waits);
  }

  SimulatedThread spawn(@Nullable SimulatedNode node, String name, Runnable body) {
    var actor = new SimulatedThread(name, node);
    all.add(actor);
    makeReady(actor);
    Thread.ofVirtual().name(actor.toString()).start(() -> live(actor, body));
    return actor;
  }

  @SuppressWarnings("CatchingThrowable") // no matter how an actor ends, the baton must go on
  private void live(SimulatedThread actor, Runnable body) {
    actor.go.acquireUninterruptibly();
    current = actor;
    try {
      if (!actor.isStranded() && !ending) {
        body.run();
      }
    } catch (NodeDown e) {
      trace.say(nanos, () -> actor + " is gone");
    } catch (Throwable e) {
      trouble = actor + " ended with " + SimulationStuck.text(e);
      ending = true;
    }
    all.remove(actor);
    current = null;
    SimulatedThread next = next();
    if (next != null) {
      next.go.release();
    }
  }

  /** Gives the baton back, ready to go on. */
  void pause() {
    SimulatedThread me = current();
    makeReady(me);
    giveBack(me);
  }

  /** Does the same as {@link #pause()} inside a call of a node, which may be gone afterwards. */
  void pauseIn(SimulatedNode node) {
    node.check();
    SimulatedThread me = current();
    me.waitsFor = node;
    makeReady(me);
    giveBack(me);
    me.waitsFor = null;
  }

  /** Waits until another thread makes it ready, or the time is over. */
  void block(@Nullable SimulatedNode node, @Nullable Duration atMost) {
    SimulatedThread me = current();
    me.waitsFor = node;
    me.isWaiting = true;
    long wait = ++me.waits;
    if (atMost != null) {
      events.add(new Event(later(atMost), eventsMade++, true, () -> wakeFrom(me, wait)));
    }
    giveBack(me);
    me.waitsFor = null;
  }

  /** Waits for time to pass; returns whether it was interrupted instead. */
  boolean sleep(Duration time) {
    SimulatedThread me = current();
    if (me.isInterrupted) {
      me.isInterrupted = false;
      return true;
    }
    me.isInterruptible = true;
    block(null, time);
    me.isInterruptible = false;
    boolean interrupted = me.isInterrupted;
    me.isInterrupted = false;
    return interrupted;
  }

  void interrupt(SimulatedThread actor) {
    actor.isInterrupted = true;
    if (actor.isInterruptible) {
      wake(actor);
    }
  }

  void wake(SimulatedThread actor) {
    if (actor.isWaiting) {
      actor.isWaiting = false;
      makeReady(actor);
    }
  }

  private void makeReady(SimulatedThread actor) {
    SimulatedNode frozen = actor.frozenIn();
    (frozen == null ? ready : frozen.held).add(actor);
  }

  /** Freezes all threads of the node until it thaws. The world and other nodes go on. */
  void freeze(SimulatedNode node, Duration time) {
    node.freeze(true);
    for (SimulatedThread actor : List.copyOf(ready)) {
      if (actor.frozenIn() != null) {
        ready.remove(actor);
        node.held.add(actor);
      }
    }
    after(time, () -> thaw(node));
  }

  private void thaw(SimulatedNode node) {
    node.freeze(false);
    List<SimulatedThread> held = List.copyOf(node.held);
    node.held.clear();
    held.forEach(this::makeReady);
  }

  private void wakeFrom(SimulatedThread actor, long wait) {
    if (actor.waits == wait) {
      wake(actor);
    }
  }

  /**
   * Unwinds the threads of a dead node before anything else happens, in the order of their birth.
   */
  void strand(SimulatedNode node) {
    node.goDown();
    for (SimulatedThread actor : all) {
      if (actor.isStranded()
          && (actor.isWaiting || ready.remove(actor) || node.held.remove(actor))) {
        actor.isWaiting = false;
        stranded.add(actor);
      }
    }
  }

  private void giveBack(SimulatedThread me) {
    SimulatedThread next = next();
    if (next != me) {
      if (next != null) {
        next.go.release();
      }
      me.go.acquireUninterruptibly();
    }
    current = me;
    if (me.isStranded() || ending) {
      me.waitsFor = null;
      throw new NodeDown();
    }
  }

  /** Returns the actor that gets the baton; null when the simulation is over. */
  private @Nullable SimulatedThread next() {
    while (true) {
      int turn = turns + 1;
      turns = turn; // read by the watching thread, written by the holder of the baton alone
      if (ending) {
        return nextToEnd();
      }
      if (turn > mostTurns) {
        trouble = "it goes on for ever";
        ending = true;
        continue;
      }
      everyTurn.run();
      SimulatedThread gone = stranded.poll();
      if (gone != null) {
        return gone;
      }
      if (!ready.isEmpty()) {
        return ready.remove(choices.below(ready.size()));
      }
      if (suspended.isPositive()) {
        sleepThrough();
        continue;
      }
      Event event = events.poll();
      if (event == null) {
        trouble = "nothing can go on";
        ending = true;
      } else {
        nanos = Math.max(nanos, event.at());
        event.what().run();
      }
    }
  }

  private @Nullable SimulatedThread nextToEnd() {
    if (all.isEmpty()) {
      over.countDown();
      return null;
    }
    SimulatedThread last = all.getLast();
    last.isWaiting = false;
    return last;
  }

  private long later(Duration delay) {
    long length =
        delay.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE / 4 : delay.toNanos();
    return nanos + Math.max(0, length);
  }
}
