package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.pass.BodyRunner;
import dev.hapax.engine.pass.FlowBody;
import dev.hapax.engine.pass.RunPass;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.run.NewRun;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs in memory. A run comes as a new one or as one that is due. It gets a place and a
 * thread, makes its pass, and leaves. Safe for many threads.
 */
final class RunExecutor {
  private static final Logger log = LoggerFactory.getLogger(RunExecutor.class);

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration RETRY_AFTER_ERROR = Duration.ofSeconds(5);
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final EngineParts parts;
  private final BodyRunner bodies;
  private final RunsInMemory inMemory;
  private final FlowRates rates;
  private final QueuedStarts queued;
  private final RunTakeover takeover;
  private final Suspects suspects;
  private final Stops stops;
  private final TenantGate gate;
  private final Node node;
  private final Signal emptied;
  private final AtomicBoolean isSweepDue = new AtomicBoolean();

  /** The node that has the memory. */
  interface Node {
    /** Whether the run may come into memory now. */
    boolean mayTakeUp(long run);

    /** Nothing can work any more. */
    void broken(RuntimeException cause);

    /** Finds runs that belong to this node and have no thread. */
    void sweep();
  }

  RunExecutor(
      EngineParts parts,
      RunsInMemory inMemory,
      FlowRates rates,
      RunTakeover takeover,
      Suspects suspects,
      Stops stops,
      TenantGate gate,
      Node node) {
    this.parts = parts;
    this.bodies = new FlowBody(parts);
    this.inMemory = inMemory;
    this.rates = rates;
    this.queued = new QueuedStarts(parts, rates, this::wake);
    this.takeover = takeover;
    this.suspects = suspects;
    this.stops = stops;
    this.gate = gate;
    this.node = node;
    this.emptied = parts.threads().signal();
    parts.memory().whenFreed(this::wakeWaiting);
  }

  /**
   * Begins a run that is not durable yet; its first commit inserts it, together with its first
   * intent if there is one.
   */
  PendingStart begin(Flow<?, ?> flow, NewRun run) {
    var pendingStart =
        new PendingStart(
            parts.threads().signal(), parts.endings().expect(run.number()), run.flow());
    boolean isFull = inMemory.isFullFor(run.number());
    DestinationLimiter.Entry.Later turn = isFull ? null : rates.turnOf(run);
    if (turn != null) {
      queued.untilItsTurn(run, turn, pendingStart);
      return pendingStart;
    }
    RunsInMemory.Place place =
        isFull
            ? null
            : gate.<RunsInMemory.Place>entersWith(
                run.tenant(), run.number(), () -> inMemory.take(run.number()));
    if (place == null) {
      queued.withoutRoom(run, pendingStart);
      return pendingStart;
    }
    carry(run.number(), place, () -> begin(flow, run, pendingStart, place));
    return pendingStart;
  }

  /** An Error here, or in the run's own code, must not leave a run with an owner but no thread. */
  @SuppressWarnings("CatchingThrowable")
  private void begin(
      Flow<?, ?> flow, NewRun run, PendingStart pendingStart, RunsInMemory.Place place) {
    Runnable leave =
        () -> {
          pendingStart.failed(new IllegalStateException("the run ended before it began"));
          standUp(run.number(), place);
        };
    try {
      var pass = new RunPass(parts, bodies, flow, run, pendingStart);
      sit(pass, place, leave);
      execute(pass);
    } catch (Throwable e) {
      tryAgain(run.number(), e);
    } finally {
      place.unlessGivenUp(leave);
    }
  }

  private void sit(RunPass pass, RunsInMemory.Place place, Runnable leave) {
    pass.exit().then(() -> standUp(pass.number(), place));
    pass.whenLeftBehind(
        () -> {
          isOver(pass);
          leave.run();
        });
    place.sit(pass);
  }

  /** A place without a thread would prevent its run from ever being taken up. */
  private void carry(long run, RunsInMemory.Place place, Runnable work) {
    try {
      place.carriedBy(parts.threads().virtual("hapax-run", work));
    } catch (RuntimeException | Error e) {
      inMemory.leave(run, place, () -> gate.left(run));
      throw e;
    }
  }

  /** Takes a run up if it is not in memory; if it is, looks at it again after it has left. */
  void wake(long run) {
    if (!node.mayTakeUp(run) || suspects.holdsBack(run)) {
      return;
    }
    if (inMemory.isFullFor(run)) {
      inMemory.waitForRoom(run);
      wakeWaiting(); // the last one may have left between the two lines above
      return;
    }
    RunsInMemory.Place place = inMemory.take(run);
    if (place != null) {
      carry(run, place, () -> takeUp(run, place));
    }
  }

  @SuppressWarnings("CatchingThrowable")
  private void takeUp(long run, RunsInMemory.Place place) {
    Runnable leave = () -> standUp(run, place);
    try {
      suspects.isTakenUp(run);
      RunTakeover.Taken taken = takeover.take(run);
      if (taken == null) {
        suspects.isNotTakenUp(run);
      } else {
        var pass = new RunPass(parts, bodies, taken.flow(), taken.run());
        if (suspects.isSuspect(run)) {
          pass.isSuspect(() -> suspects.gotFurther(run));
        }
        sit(pass, place, leave);
        execute(pass);
        suspects.gotFurther(run); // it has left memory, and this process lives
      }
    } catch (Throwable e) {
      tryAgain(run, e);
    } finally {
      place.unlessGivenUp(leave);
    }
  }

  /** An engine that cannot even schedule another try is closed. */
  @SuppressWarnings("CatchingThrowable")
  private void tryAgain(long run, Throwable why) {
    if (why instanceof ProcessGone gone) {
      throw gone;
    }
    try {
      if (!(why instanceof Error error) || !suspects.threw(run, error)) {
        tryAgainLater(run, why);
      }
    } catch (ProcessGone gone) {
      throw gone;
    } catch (Throwable worse) {
      node.broken(
          new StoreBroken("run %d could not be handed back: %s".formatted(run, worse), worse));
    }
  }

  /** The engine failed while it carried the run: the run continues from its journal. */
  private void tryAgainLater(long run, Throwable why) {
    switch (why) {
      case StoreBroken broke -> node.broken(broke);
      case StoreClosed _ ->
          log.debug("run {} waits until the store is opened again: {}", run, why.getMessage());
      case StoreUnavailable _ -> {
        log.warn("run {} will be tried again soon: {}", run, why.getMessage());
        later(RETRY, () -> wake(run));
      }
      default -> {
        if (!isClosing()) {
          log.error("run {} could not continue; it is unchanged and will be tried again", run, why);
          later(RETRY_AFTER_ERROR, () -> wake(run));
        }
      }
    }
  }

  private void execute(RunPass pass) {
    Instant until = pass.timeoutAt();
    if (pass.isStopRequested()) {
      stops.abandonLater(pass);
    } else if (until != null) {
      parts.timer().alarm(until, pass.number(), () -> stops.timeOut(pass));
    }
    parts.interceptor().stay(pass.stay(false), pass::pass);
    isOver(pass);
  }

  private void isOver(RunPass pass) {
    Instant until = pass.timeoutAt();
    if (until != null) {
      parts.timer().cancelAlarm(until, pass.number());
    }
    if (pass.isToBeTakenUpAgain()) {
      // The run may still be ours although others seem to have written to it: a standby that took
      // over may lack what this pass wrote.
      later(RETRY, () -> wake(pass.number()));
    }
  }

  private void standUp(long run, RunsInMemory.Place place) {
    if (!inMemory.leave(run, place, () -> gate.left(run))) {
      return; // its pass was over before its thread
    }
    if (isClosing() && inMemory.size() == 0) {
      emptied.raise();
    }
    if (place.wasWokenMeanwhile()) {
      wake(run);
    }
    wakeWaiting();
    sweepLater();
  }

  /**
   * Finds runs that belong to this node and have no thread, for any reason. One look follows every
   * stay in memory, so that it finds also the last run; after it an idle engine is silent.
   */
  private void sweepLater() {
    if (!isClosing() && isSweepDue.compareAndSet(false, true)) {
      later(SWEEP, () -> parts.guard().virtual("hapax-sweep", this::sweep));
    }
  }

  private void sweep() {
    isSweepDue.set(false); // a run that leaves from now on gets another look
    try {
      node.sweep();
    } catch (NoAnswer e) {
      sweepLater();
      throw e;
    }
  }

  private void wakeWaiting() {
    for (Long next; (next = inMemory.next()) != null; ) {
      wake(next);
    }
  }

  private void later(Duration delay, Runnable what) {
    parts.timer().alarm(parts.clock().now().plus(delay), parts.ids().next(), what);
  }

  private boolean isClosing() {
    return parts.draining().getAsBoolean();
  }

  /** The runs in memory. */
  List<Long> inMemory() {
    return inMemory.all();
  }

  /** Waits until no run is in memory any more; false if that takes too long. */
  boolean awaitEmpty(Duration atMost) {
    return inMemory.size() == 0 || emptied.await(atMost);
  }
}
