package dev.hapax.engine;

import dev.hapax.effect.Payload;
import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.StepFailed;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.Alert;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import dev.hapax.store.Change;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreClosed;
import dev.hapax.store.StoredRun;
import dev.hapax.time.Threads;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stay of a run in memory: from its start or wake-up to its next wait or its end. The body runs
 * on this pass's own thread; recorded steps answer from the journal, the first one that is not
 * recorded is carried out.
 *
 * <p>Whoever closes the pass decides what becomes of it: the run's thread, by parking or ending it,
 * or the engine, by abandoning a body that does not return. Whatever the body does afterwards
 * writes nothing.
 */
final class RunPass {
  private static final Logger log = LoggerFactory.getLogger(RunPass.class);
  private static final String MISMATCH = "journal-mismatch";

  /** Why a run is to end before its body does. */
  enum Stop {
    CANCEL,
    TIMEOUT,
    /** It undoes what it has done: the body is only replayed. */
    COMPENSATION
  }

  private final Engine.Parts parts;
  private final Flow<?, ?> flow;
  private final RunFacts facts;
  private final Replay replay;
  private final OpenEffects open;
  private final RunWriter journal;
  private final Strand body;
  private final Set<Threads.Handle> besideBody = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Failure> failedItems = new AtomicReference<>();
  private final Set<Step> endedLoops = ConcurrentHashMap.newKeySet();
  private final Set<String> lanesSeen = new HashSet<>(); // guarded by open
  private final Calls calls;
  private final boolean beganStopped;
  private final @Nullable Compensation compensation;
  private volatile @Nullable Stop stop;
  private volatile Run.@Nullable Cancel cancel;
  private volatile Runnable interruptBody = () -> {};
  private volatile Runnable left = () -> {};
  // Guarded by this. Inside: these strands are in the engine and come out by themselves. Closed:
  // the body may write nothing any more. Deciding: somebody writes down what becomes of the run.
  private final Set<Strand> insideEngine = new HashSet<>();
  private boolean closed;
  private boolean deciding;
  private boolean isOver;
  private boolean stopNoted; // used by whoever decides
  private int entered;
  private int enteredBefore;
  private @Nullable Failure fatal;
  private @Nullable RuntimeException trouble;

  /** For a run that its first commit inserts. */
  RunPass(Engine.Parts parts, Flow<?, ?> flow, NewRun run, Begun begun) {
    this.parts = parts;
    this.flow = flow;
    this.facts = RunFacts.of(run);
    this.replay = Replay.of(List.of());
    this.open = new OpenEffects(replay);
    this.journal = new RunWriter(parts, run, begun);
    this.body = new Strand(this, new Lane(null, replay), newWriter(null));
    body.writer().insertSoon();
    this.calls = new Calls(this, parts, replay);
    this.beganStopped = false;
    this.compensation = null;
  }

  /** For a run that belongs to this process and is taken up again. */
  RunPass(Engine.Parts parts, Flow<?, ?> flow, StoredRun stored) {
    Run run = stored.run();
    this.parts = parts;
    this.flow = flow;
    this.facts = RunFacts.of(run);
    this.replay = Replay.of(stored.journal());
    this.open = new OpenEffects(replay);
    this.journal = new RunWriter(parts, run.number(), stored.seq());
    this.body = new Strand(this, new Lane(null, replay), newWriter(null));
    this.calls = new Calls(this, parts, replay);
    this.cancel = run.cancel();
    Failure cause = replay.compensation();
    this.compensation = cause == null ? null : new Compensation(body, parts, cause);
    if (cause != null) {
      stop = Stop.COMPENSATION;
    } else if (run.cancel() != null) {
      stop = Stop.CANCEL;
    } else if (replay.timeoutNoted() || isTimedOut()) {
      stop = Stop.TIMEOUT;
    }
    this.beganStopped = stop != null;
  }

  long number() {
    return facts.identity().run();
  }

  RunId id() {
    return facts.identity().id();
  }

  String key() {
    return facts.identity().key();
  }

  @Nullable Instant timeoutAt() {
    return facts.timeoutAt();
  }

  int depth() {
    return facts.depth();
  }

  RunPort.Identity identity() {
    return facts.identity();
  }

  Calls calls() {
    return calls;
  }

  OpenEffects open() {
    return open;
  }

  WaitBook waits() {
    return replay.waits();
  }

  /** For one more strand of this run. */
  StrandWriter newWriter(@Nullable String lane) {
    return new StrandWriter(journal, parts.lingering(), lane);
  }

  /** Called when the run has left memory, though its body may still be on its way out. */
  void onLeft(Runnable what) {
    left = what;
  }

  /** How to ask the body's thread to come back. */
  void interruptedBy(Runnable interrupt) {
    interruptBody = interrupt;
  }

  /** Runs the body and writes down what became of it. */
  @SuppressWarnings("CatchingThrowable")
  void pass() {
    body.carry();
    if (replay.isQueued() && stop == null) {
      body.writer().add(new JournalEntry.SlotGranted());
    }
    String output = null;
    Failure failure = null;
    try {
      output = runBody(flow);
    } catch (Unwind unwind) {
      // it was closed, and says below why
    } catch (Throwable thrown) { // also an Error of the body: one bad run never stops the others
      failure = failureOf(thrown);
    }
    if (!decide()) {
      return; // the engine has given this body up
    }
    if (compensation != null) {
      undo(compensation);
    } else if (isClosed()) {
      afterUnwind(); // whatever the body made of it
    } else if (failure != null) {
      endFailed(failure);
    } else {
      finish(String.valueOf(output));
    }
  }

  /** The body has been replayed as far as it came; what it made of that does not matter. */
  private void undo(Compensation what) {
    boolean canWrite;
    synchronized (this) {
      fatal = null;
      canWrite = trouble == null;
    }
    if (canWrite) {
      what.undoAll();
    } else {
      afterUnwind();
    }
  }

  private <I, O> String runBody(Flow<I, O> of) throws Exception {
    I input = Json.read(facts.input(), of.input());
    O output = of.body().run(new PassContext(body, parts, null), input);
    return Payload.writeResult(output);
  }

  private void finish(String output) {
    try {
      learnUnvisitedLanes();
      if (!open.isEmpty()) {
        Step left = open.first();
        endFailed(
            mismatchOf(
                left,
                "its journal holds %s as an effect under way, but %s ended without it"
                    .formatted(left, flow)));
        return;
      }
      Step call = stop == null ? calls.firstUnderWay() : null;
      if (call != null) {
        endFailed(
            mismatchOf(
                call,
                "its journal holds %s as a child run under way, but %s ended without it"
                    .formatted(call, flow)));
        return;
      }
      end(stop != null ? stopped() : ended(body.keep(output)));
    } catch (Unwind unwind) {
      afterUnwind();
    }
  }

  /** What lies in the lanes of a loop that this pass has not brought to its end may be open too. */
  private void learnUnvisitedLanes() {
    boolean isLeft =
        replay.steps().entrySet().stream()
            .anyMatch(
                step ->
                    step.getValue() instanceof StepState.Looping
                        && !endedLoops.contains(step.getKey()));
    if (isLeft) {
      body.commit(); // what the strands have handed over counts
      parts.store().journal(number()).stream()
          .filter(row -> row.lane() != null)
          .collect(Collectors.groupingBy(row -> String.valueOf(row.lane())))
          .forEach((lane, rows) -> calls.learn(lane, learnLane(lane, rows)));
    }
  }

  /**
   * What the journal says about a lane, and what a person has said about it since. One after the
   * other with {@link #writeBeside}: what was read before it must not open again what it settles. A
   * lane that this pass has come to is known better than it stands in the store.
   */
  Replay learnLane(String lane, List<JournalRow> rows) {
    synchronized (open) {
      Replay known = replay.ofLane(lane, rows);
      if (lanesSeen.add(lane)) {
        open.learn(known);
      }
      return known;
    }
  }

  /** A run with items that failed is partial: it has its output, and can be retried. */
  private JournalEntry.Ended ended(String output) {
    Failure partial = failedItems.get();
    return new JournalEntry.Ended(
        partial == null ? RunStatus.SUCCEEDED : RunStatus.PARTIAL, output, partial);
  }

  /** The run is parked, or it is to fail, or it could not be written. */
  void afterUnwind() {
    Failure failure;
    RuntimeException problem;
    synchronized (this) {
      failure = fatal;
      problem = trouble;
    }
    if (problem != null) {
      cannotWrite(problem);
    } else if (failure != null) {
      endFailed(failure);
    }
  }

  static Failure failureOf(Throwable thrown) {
    return switch (thrown) {
      case StepFailed failed ->
          new Failure(
              failed.code(),
              String.valueOf(failed.getMessage()),
              failed.step(),
              failed.item(),
              failed.retryable());
      case NotSerializable value ->
          Failure.of("not-serializable", String.valueOf(value.getMessage()), false);
      default ->
          Failure.of("error", thrown.getClass().getName() + ": " + thrown.getMessage(), true);
    };
  }

  void endFailed(Failure failure) {
    synchronized (this) {
      fatal = null; // it is being written now
    }
    try {
      learnUnvisitedLanes();
      if (!open.isEmpty()) {
        if (stop != null) {
          calls.askToStop(body, stopReason());
        }
        close(); // what a person settles from here on is not written beside it
        // Nobody but a person can settle it without the code that sent it.
        open.review(failure.message(), body.writer());
        park(RunStatus.REVIEW, null);
      } else if (stop != null && compensation == null) {
        end(stopped());
      } else {
        end(new JournalEntry.Ended(RunStatus.FAILED, null, failure));
      }
    } catch (Unwind unwind) {
      afterUnwind();
    }
  }

  void end(JournalEntry.Ended ended) {
    noteStop();
    if (stop != null) {
      calls.askToStop(body, stopReason());
      calls.awaitStopped(body);
    }
    boolean isToCompensate = isToCompensate(ended);
    if (waits().hasOpen()) {
      boolean goesOn = ended.status().canBeRetried() && compensation == null && !isToCompensate;
      body.writer().add(new Change.CloseWaits(goesOn));
    }
    if (isToCompensate) {
      // Durable before anything is undone: from here on no replay goes forward again.
      var cause = Objects.requireNonNull(ended.error(), "why a run failed");
      body.writer().add(new JournalEntry.CompensationStarted(cause));
      leaveUntil(parts.clock().now(), RunStatus.COMPENSATING, false);
      return;
    }
    body.writer().add(ended, new Change.End(ended.status(), ended.output(), ended.error()));
    if (ended.status() == RunStatus.FAILED) {
      alert(Alert.FAILED, Integer.toString(replay.failures() + 1), ended.error());
    }
    body.commit();
    close();
    parts
        .endings()
        .tell(number(), new Endings.Result(ended.status(), ended.output(), ended.error()));
    leaveMemory();
  }

  /** Not because of the wrong code: it would undo by mistake, and by guesses. */
  private boolean isToCompensate(JournalEntry.Ended ended) {
    Run.Cancel wish = cancel;
    Failure error = ended.error();
    boolean isAsked = wish != null && wish.compensate();
    boolean isDeclared =
        ended.status() == RunStatus.FAILED
            && flow.onFailure() == Flow.OnFailure.COMPENSATE
            && error != null
            && !error.code().equals(MISMATCH);
    boolean isFailure = ended.status() == RunStatus.FAILED || ended.status() == RunStatus.CANCELED;
    return compensation == null && isFailure && (isAsked || isDeclared);
  }

  /** In the commit of what it tells. */
  private void alert(Alert alert, String occurrence, @Nullable Failure why) {
    NewRun message = parts.alerts().about(alert, identity(), occurrence, why, parts.ids().next());
    if (message != null) {
      body.writer()
          .add(
              new JournalEntry.Alerted(alert, message.key(), message.id().toString()),
              new Change.Spawn(message));
    }
  }

  private void leaveMemory() {
    synchronized (this) {
      isOver = true;
    }
    left.run();
  }

  private JournalEntry.Ended stopped() {
    if (stop == Stop.TIMEOUT) {
      String message = "the run took longer than its flow allows, until " + facts.timeoutAt();
      return new JournalEntry.Ended(RunStatus.FAILED, null, Failure.of("timeout", message, true));
    }
    return new JournalEntry.Ended(
        RunStatus.CANCELED, null, Failure.of("canceled", "the run was canceled", true));
  }

  private String stopReason() {
    Run.Cancel wish = cancel;
    return stop == Stop.TIMEOUT || wish == null
        ? "the run that called it took longer than its flow allows"
        : "the run that called it was canceled by " + wish.actor();
  }

  private void noteStop() {
    if (stopNoted) {
      return;
    }
    stopNoted = stop != null;
    Run.Cancel wish = cancel;
    Instant until = facts.timeoutAt();
    if (stop == Stop.CANCEL && wish != null && !replay.cancelNoted()) {
      body.writer().add(new JournalEntry.CancelRequested(wish.actor(), wish.reason()));
    } else if (stop == Stop.TIMEOUT && until != null && !replay.timeoutNoted()) {
      body.writer().add(new JournalEntry.TimedOut(until));
    }
  }

  private void cannotWrite(RuntimeException problem) {
    switch (problem) {
      case RunWriter.Exists _ -> parts.endings().leave(number()); // its start has heard it
      case RunWriter.NoSlot _ -> { // it goes on when it is let in, or was never made
        parts.endings().leave(number());
        leaveMemory();
      }
      case RunWriter.Lost _ ->
          log.warn("run {} was written by somebody else; this pass wrote nothing more", id());
      case StoreBroken _, StoreClosed _ ->
          log.debug("run {} goes on when the store is opened again", id());
      default -> repair(problem);
    }
  }

  /**
   * The database refuses what the run wrote, and would again: a person looks at its effect, or the
   * run fails.
   */
  private void repair(RuntimeException refusal) {
    journal.awaitAll(); // what other strands have handed over may still land
    StoredRun stored = parts.store().load(number());
    if (stored == null || stored.run().owner() == null) {
      return; // a new run, whose start has heard it
    }
    log.error("run {} could not write what it has come to", id(), refusal);
    String message = "the store refuses what the run wrote: " + refusal.getMessage();
    var again = new RunPass(parts, flow, stored);
    again.onLeft(left);
    again.endFailed(Failure.of("store-refused", message, false));
  }

  // ---- what a strand asks of its run

  /** What cannot be written closes the pass; a refusal says more than that the rest was lost. */
  Unwind cannotGoOn(RuntimeException why) {
    synchronized (this) {
      if (trouble == null || why instanceof RunWriter.Refused || why instanceof RunWriter.NoSlot) {
        trouble = why;
      }
    }
    return close();
  }

  /** A loop has items that failed. */
  void notePartial(Failure failure) {
    failedItems.compareAndSet(null, failure);
  }

  void loopEnded(Step loop) {
    endedLoops.add(loop);
  }

  LargeValues values() {
    return parts.values();
  }

  /** A thread of a strand beside the body. */
  void besideBody(Threads.Handle thread) {
    besideBody.add(thread);
  }

  /** The body has nothing more to do now: makes everything durable and leaves memory. */
  Unwind park(RunStatus wanted, @Nullable Instant dueAt) {
    boolean settledMeanwhile = wanted == RunStatus.REVIEW && !open.isAnyInReview();
    RunStatus status = settledMeanwhile ? RunStatus.WAITING : wanted;
    // A pass that began as stopped has had its chance; one that was told meanwhile looks again.
    Instant due = beganStopped ? dueAt : Rest.earlier(dueAt, facts.timeoutAt());
    noteStop();
    if (status == RunStatus.REVIEW) {
      alert(Alert.REVIEW, open.reviewed(), null);
    }
    return leaveUntil(due, statusOf(status), status == RunStatus.REVIEW);
  }

  /** The first word that holds is the run's status. */
  private RunStatus statusOf(RunStatus waiting) {
    if (compensation != null) {
      return RunStatus.COMPENSATING;
    }
    return stop != null ? RunStatus.CANCELING : waiting;
  }

  private Unwind leaveUntil(@Nullable Instant due, RunStatus status, boolean needsPerson) {
    body.writer().add(new Change.Release(status, due));
    body.commit();
    Unwind unwind = close();
    if (needsPerson) {
      parts.endings().tell(number(), new Endings.Result(RunStatus.REVIEW, null, null));
    } else {
      parts.endings().leave(number());
    }
    if (due != null) {
      parts.timer().noteDue(number(), due);
    }
    leaveMemory();
    return unwind;
  }

  /** Ends the body of a run that is to end early. */
  Unwind stop() {
    return fatal(Failure.of("stopped", "the run was stopped", true));
  }

  // ---- what the context asks of its run

  /** A thread comes from the body into the engine. */
  synchronized void enter(Strand strand) {
    if (closed || strand.isOut()) {
      throw new Unwind();
    }
    insideEngine.add(strand);
    entered++;
  }

  /** The thread goes back to the body. */
  synchronized void leave(Strand strand) {
    insideEngine.remove(strand);
  }

  /** The state of a step that the body has come to; each step stands once in a run. */
  @Nullable StepState visit(Lane lane, Step step, StepKind kind) {
    StepState state = stateOf(lane, step, kind);
    if (!lane.visit(step)) {
      String message =
          "step %s stands twice in run %s. Give it another name, or use run.item(key) in a loop."
              .formatted(step, id());
      throw fatal(Failure.of("duplicate-step", message, false).at(step));
    }
    return state;
  }

  /** What the journal says about a step, which must be of this kind. */
  @Nullable StepState stateOf(Lane lane, Step step, StepKind kind) {
    StepState state = lane.stateOf(step);
    if (state != null && state.kind() != kind) {
      throw mismatch(
          step,
          "its journal holds %s as %s, but %s now makes it %s"
              .formatted(step, state.kind(), flow, kind));
    }
    return state;
  }

  /** Whether the body is only replayed, so that it tells how everything is undone. */
  boolean isCompensating() {
    return compensation != null;
  }

  /** How an effect that the body has come to is undone is needed only while the run compensates. */
  void learn(Step step, Effect<?> effect) {
    if (compensation != null) {
      compensation.learn(step, effect);
    }
  }

  /** Ends the body of a run whose code and journal disagree. */
  Unwind mismatch(Step step, String difference) {
    return fatal(mismatchOf(step, difference));
  }

  Failure mismatchOf(Step step, String difference) {
    String message =
        "run %s cannot go on: %s. A run stays on its release: register the code of release %d as it was, or cancel the run."
            .formatted(id(), difference, flow.release());
    return Failure.of(MISMATCH, message, true).at(step);
  }

  /**
   * Makes a run that is still only an intention durable before anything that costs time or touches
   * the outside.
   */
  void accept(Strand strand) {
    if (!journal.isInserted()) {
      strand.commit();
    }
    try {
      journal.awaitInsert();
    } catch (RuntimeException e) {
      throw cannotGoOn(e);
    }
  }

  /** Ends the run with this failure, whatever its body makes of it. */
  private synchronized Unwind fatal(Failure failure) {
    if (!closed) {
      fatal = failure;
      closed = true;
    }
    return new Unwind();
  }

  /**
   * Writes what a person decided about a strand at rest while others go on; the run looks at it
   * when it has left memory. False if it is on its way out, or if somebody else was faster: then
   * nothing was written.
   */
  boolean writeBeside(JournalEntry entry, Change... changes) {
    StrandWriter writer = newWriter(null);
    synchronized (open) {
      Step step = entry.step();
      if (isClosed() || (step != null && !open.mayBeSettled(step))) {
        return false;
      }
      open.note(entry, changes);
      writer.add(entry, changes);
      writer.add(new Change.Wake());
      writer.flush(); // before anything that a strand writes because of it
      replay.hearBeside(journal.seq(), parts.clock().now(), entry);
    }
    try {
      writer.commit();
      return true;
    } catch (RunWriter.Lost e) {
      return false;
    }
  }

  // ---- being stopped from outside

  void requestStop(Stop why, Run.@Nullable Cancel wish) {
    if (cancel == null) {
      cancel = wish;
    }
    if (stop == null) {
      stop = why;
      interruptBody.run();
      besideBody.forEach(Threads.Handle::interrupt);
    }
  }

  boolean isStopRequested() {
    return stop != null;
  }

  /**
   * Ends a run that was to be stopped and whose body does not come back: its thread is left alone
   * and can write nothing any more. Returns whether the pass is over; an effect under way is waited
   * for.
   */
  boolean abandon() {
    synchronized (this) {
      if (deciding || isOver) {
        return true;
      }
      if (!insideEngine.isEmpty() || isReplayed()) {
        return false;
      }
      closed = true;
      deciding = true;
    }
    log.warn("run {} was stopped, but its body does not return; its thread is left behind", id());
    if (compensation != null) {
      undo(compensation); // with what the body has told so far
      return true;
    }
    Failure why = fatal;
    endFailed(why != null ? why : Failure.of("stopped", "the body did not return", true));
    return true;
  }

  /** Whether the body of a run that compensates has come to a step since it was asked last. */
  private boolean isReplayed() {
    boolean moved = compensation != null && entered != enteredBefore;
    enteredBefore = entered;
    return moved;
  }

  /** The body's thread has come out: from here on it decides, unless the engine has given it up. */
  private synchronized boolean decide() {
    if (deciding) {
      return false;
    }
    deciding = true;
    return true;
  }

  private boolean isTimedOut() {
    Instant until = facts.timeoutAt();
    return until != null && !parts.clock().now().isBefore(until);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private synchronized Unwind close() {
    closed = true;
    return new Unwind();
  }
}
