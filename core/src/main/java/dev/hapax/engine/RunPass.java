package dev.hapax.engine;

import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.StepFailed;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.Step;
import dev.hapax.store.Change;
import dev.hapax.store.NoAnswer;
import dev.hapax.store.StoreUnavailable;
import dev.hapax.store.StoredRun;
import dev.hapax.time.Threads;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stay of a run in memory: from its start or wake-up to its next wait or its end. The body runs
 * on this pass's own thread. Recorded steps answer from the journal; the first step that is not
 * recorded is executed.
 */
final class RunPass {
  static final String MISMATCH = "journal-mismatch";

  /** A place at which no journal ends. */
  private static final long NO_PLACE = -1;

  private static final Logger log = LoggerFactory.getLogger(RunPass.class);

  private final EngineParts parts;
  private final BodyRunner bodies;
  private final Flow<?, ?> flow;
  private final RunFacts facts;
  private final Replay replay;
  private final OpenEffects open;
  private final RunWriter journal;
  private final Fiber body;
  private final Queue<Threads.Handle> besideBody = new ConcurrentLinkedQueue<>();
  private final ItemJournals lanes;
  private final Calls calls;
  private final BodyFence fence = new BodyFence();
  private final Stopping stopping;
  private final RunExit exit;
  private final @Nullable Compensation compensation;
  private final boolean onlyTells;
  private volatile Runnable interruptBody = () -> {};
  private volatile Runnable leftBehind = () -> {};

  /** The journal as read so far, for the next pass; null if reading it again costs little. */
  private @Nullable ReadJournal toKeep;

  /** For a run that its first commit inserts. */
  RunPass(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      NewRun run,
      PendingStart pendingStart) {
    this(
        parts,
        bodies,
        flow,
        RunFacts.of(run),
        Replay.of(List.of()),
        new RunWriter(parts, run, pendingStart),
        null,
        null);
    body.writer().insertSoon();
  }

  /** For a run that belongs to this process and is taken up again. */
  RunPass(EngineParts parts, BodyRunner bodies, Flow<?, ?> flow, Journals.Loaded loaded) {
    this(parts, bodies, flow, loaded.stored(), forOnePass(parts, loaded.read()));
  }

  private static ReadJournal forOnePass(EngineParts parts, ReadJournal read) {
    if (parts.journals().isWorthKeeping(read)) {
      read.replay().beginPass();
    }
    return read;
  }

  private RunPass(
      EngineParts parts, BodyRunner bodies, Flow<?, ?> flow, StoredRun stored, ReadJournal read) {
    this(
        parts,
        bodies,
        flow,
        RunFacts.of(stored.run()),
        read.replay(),
        new RunWriter(parts, stored.run().number(), stored.seq()),
        stored.run().cancel(),
        null);
    this.toKeep = parts.journals().isWorthKeeping(read) ? read : null;
  }

  /** For an earlier body that is only replayed, over an earlier journal: all writes are refused. */
  RunPass(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      RunFacts facts,
      Replay replay,
      Compensation compensation) {
    this(
        parts,
        bodies,
        flow,
        facts,
        replay,
        new RunWriter(parts, facts.identity().run(), NO_PLACE),
        null,
        compensation);
  }

  private RunPass(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      RunFacts facts,
      Replay replay,
      RunWriter journal,
      Run.@Nullable Cancel cancel,
      @Nullable Compensation told) {
    this.parts = parts;
    this.bodies = bodies;
    this.flow = flow;
    this.facts = facts;
    this.replay = replay;
    this.open = new OpenEffects(replay);
    this.journal = journal;
    this.body = new Fiber(this, new ItemJournal(null, replay), newWriter(null));
    this.lanes = new ItemJournals(parts.store(), this, replay);
    this.calls = new Calls(this, parts, replay);
    this.stopping = new Stopping(facts, replay, cancel, parts.clock().now());
    this.exit = new RunExit(parts, this, flow);
    Failure cause = replay.compensation();
    this.onlyTells = told != null;
    if (told != null || cause == null) {
      this.compensation = told;
    } else {
      this.compensation = new Compensation(body, parts, cause);
    }
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

  Instant now() {
    return parts.clock().now();
  }

  int depth() {
    return facts.depth();
  }

  RunPort.Identity identity() {
    return facts.identity();
  }

  /** When the event happened that started the run; null unless that time is lost. */
  @Nullable Instant occurredAt() {
    return replay.occurredAt();
  }

  /** The stay, as interceptors see it. */
  Interceptor.Stay stay(boolean isBeside) {
    RunPort.Identity who = facts.identity();
    return new Interceptor.Stay(who.tenant(), who.id().toString(), who.flow(), who.key(), isBeside);
  }

  /** One of its steps, as interceptors see it. */
  Interceptor.Work work(Step step) {
    RunPort.Identity who = facts.identity();
    return new Interceptor.Work(who.id().toString(), who.flow(), step.name(), step.item(), false);
  }

  /** Wraps work of this run that runs in parallel with its body, on another thread. */
  Runnable beside(Runnable work) {
    return () -> parts.interceptor().stay(stay(true), work);
  }

  BodyRunner bodies() {
    return bodies;
  }

  Calls calls() {
    return calls;
  }

  OpenEffects open() {
    return open;
  }

  ItemJournals lanes() {
    return lanes;
  }

  BodyFence fence() {
    return fence;
  }

  Stopping stopping() {
    return stopping;
  }

  RunExit exit() {
    return exit;
  }

  Fiber body() {
    return body;
  }

  RunWriter journal() {
    return journal;
  }

  LargeValues values() {
    return parts.values();
  }

  WaitBook waits() {
    return replay.waits();
  }

  /** Keeps the journal of a run that has left memory normally; this pass no longer reads it. */
  void keepJournal() {
    ReadJournal read = toKeep;
    toKeep = null;
    if (read != null) {
      parts.journals().keep(number(), read);
    }
  }

  /** How often the run has failed before. */
  int failures() {
    return replay.failures();
  }

  /** Returns a writer for one more fiber of this run. */
  FiberWriter newWriter(@Nullable String lane) {
    return new FiberWriter(journal, parts.delayedFlush(), lane);
  }

  /** Sets how to interrupt the body's thread. */
  void interruptedBy(Runnable interrupt) {
    interruptBody = interrupt;
  }

  /** Sets what to do when the pass is over though its thread never returns. */
  void whenLeftBehind(Runnable what) {
    leftBehind = what;
  }

  /** Adds a thread of a fiber that runs in parallel with the body. */
  void besideBody(Threads.Handle thread) {
    besideBody.add(thread);
  }

  /** Runs the body and writes down its outcome. */
  @SuppressWarnings("CatchingThrowable")
  void pass() {
    body.carry();
    body.otherwise(
        () -> {
          depart(null, null);
          if (!isGivenUp()) {
            leftBehind.run();
          }
        });
    if (replay.isQueued() && !stopping.isAsked()) {
      body.writer().add(new JournalEntry.SlotGranted());
    }
    String output = null;
    Failure failure = null;
    try {
      output = runBody();
    } catch (Unwind unwind) {
      // the fence is closed, and knows why
    } catch (NoAnswer e) {
      fence.closeFor(e);
    } catch (Throwable thrown) { // also an Error of the body: one bad run never stops the others
      failure = failureOf(thrown);
    }
    depart(output, failure);
  }

  /** The body has returned, or never will. */
  private void depart(@Nullable String output, @Nullable Failure failure) {
    if (!fence.decide()) {
      return; // the engine has given up this body
    }
    if (compensation != null) {
      undo(compensation);
    } else if (fence.isClosed()) {
      exit.afterUnwind(); // no matter what the body returned or threw
    } else if (failure != null) {
      exit.fail(failure);
    } else {
      exit.finish(String.valueOf(output));
    }
  }

  /** Undoes the effects. The body was replayed as far as it came; its outcome is ignored. */
  private void undo(Compensation what) {
    fence.takeFailure();
    if (fence.trouble() == null) {
      what.undoAll(new EarlierBodies(parts, bodies, flow, facts, what)::tell);
    } else {
      exit.afterUnwind();
    }
  }

  /** Replays the body only to learn its undos, on the current thread. */
  void replayBody() throws Exception {
    body.carry();
    runBody();
  }

  private String runBody() throws Exception {
    if (facts.depth() == 0) {
      new Drain(body, parts, replay).holdBack(flow);
    }
    return bodies.run(flow, body, facts.input());
  }

  static Failure failureOf(Throwable thrown) {
    return switch (thrown) {
      case StepFailed failed ->
          new Failure(
              failed.code(),
              Text.messageOf(failed),
              failed.step(),
              failed.item(),
              failed.retryable());
      case NotSerializable value -> Failure.of("not-serializable", Text.messageOf(value), false);
      default -> Failure.of("error", Text.of(thrown), true);
    };
  }

  // ---- calls of the context

  /** Returns the state of a step that the body has reached; each step occurs once in a run. */
  @Nullable StepState visit(ItemJournal lane, Step step, StepKind kind) {
    StepState state = stateOf(lane, step, kind);
    if (!lane.visit(step)) {
      String message =
          "step %s stands twice in run %s. Give it another name, or use run.item(key) in a loop."
              .formatted(step, id());
      throw fence.closeFor(Failure.of("duplicate-step", message, false).at(step));
    }
    if (kind.leavesTheRun()) {
      lane.replay().unvisited().visit(step);
    }
    return state;
  }

  /** Returns the state of a step in the journal, which must be of this kind. */
  @Nullable StepState stateOf(ItemJournal lane, Step step, StepKind kind) {
    StepState state = lane.stateOf(step);
    if (state != null && state.kind() != kind) {
      throw mismatch(
          step,
          "its journal holds %s as %s, but %s now makes it %s"
              .formatted(step, state.kind(), flow, kind));
    }
    return state;
  }

  /** Whether the body is only replayed, to learn how to undo its effects. */
  boolean isCompensating() {
    return compensation != null;
  }

  /** Whether this is an earlier body, which may begin and continue nothing. */
  boolean onlyTells() {
    return onlyTells;
  }

  /** Notes how to undo an effect that the body has reached, if the run compensates. */
  void learn(Step step, Effect<?> effect) {
    if (compensation != null) {
      compensation.learn(step, effect);
    }
  }

  /** Ends the body of a run whose code and journal disagree. */
  Unwind mismatch(Step step, String difference) {
    return fence.closeFor(mismatchOf(step, difference));
  }

  Failure mismatchOf(Step step, String difference) {
    String message =
        "run %s cannot go on: %s. A run stays on its release: register the code of release %d as it was, or cancel the run."
            .formatted(id(), difference, flow.release());
    return Failure.of(MISMATCH, message, true).at(step);
  }

  /** Ends the body of a run that is to end early. */
  Unwind stop() {
    return fence.closeFor(Failure.of("stopped", "the run was stopped", true));
  }

  /**
   * Makes a run that is not durable yet durable, before anything that takes time or touches the
   * outside.
   */
  void accept(Fiber fiber) {
    if (!journal.isInserted()) {
      fiber.commit();
    }
    try {
      journal.awaitInsert();
    } catch (RuntimeException e) {
      throw fence.closeFor(e);
    }
  }

  /** Blocks for ever, at no cost. */
  void standStill() {
    parts.threads().signal().await();
  }

  // ---- from outside

  /**
   * Writes a person's decision about a suspended fiber while others go on; the run looks at it
   * after it has left memory. False if the run is leaving memory, or if another writer was faster;
   * nothing was written then.
   */
  boolean writeBeside(JournalEntry entry, Change... changes) {
    FiberWriter writer = newWriter(null);
    synchronized (open) {
      Step step = entry.step();
      if (fence.isClosed() || (step != null && !open.mayBeSettled(step, changes))) {
        return false;
      }
      open.note(entry, changes);
      writer.add(entry, changes);
      writer.add(new Change.Wake());
      writer.flush(); // before any entry that a fiber writes because of it
      replay.hearBeside(journal.seq(), parts.clock().now(), entry);
    }
    try {
      writer.commit();
      return true;
    } catch (RunWriter.Lost e) {
      return false;
    }
  }

  void requestStop(Stopping.Cause why, Run.@Nullable Cancel wish) {
    if (stopping.ask(why, wish)) {
      interruptBody.run();
      besideBody.forEach(Threads.Handle::interrupt);
    }
  }

  /**
   * Whether this pass was in vain, though the run may still be ours: another process has written to
   * it, or the store could not answer.
   */
  boolean isToBeTakenUpAgain() {
    RuntimeException trouble = fence.trouble();
    return trouble instanceof RunWriter.Lost || trouble instanceof StoreUnavailable;
  }

  boolean isStopRequested() {
    return stopping.isAsked();
  }

  /**
   * Whether another thread than the body's decides how the run continues, and frees its place
   * afterwards. An undo may be under way there when the body's thread returns.
   */
  boolean isGivenUp() {
    return fence.isGivenUp();
  }

  /**
   * Ends a run that was to be stopped and whose body does not return. The body's thread is left
   * alone and can no longer write. Returns whether the pass is over. An effect under way is waited
   * for, and so is the replay of a run that compensates, because only the replay shows how to undo
   * the rest.
   */
  boolean abandon() {
    if (fence.isDecided()) {
      return true;
    }
    if ((compensation != null && compensation.needsBody(fence.idleLooks()))
        || !fence.decideInstead()) {
      return false;
    }
    log.warn("run {} was stopped, but its body does not return; its thread is left behind", id());
    try {
      departInstead();
    } finally {
      leftBehind.run();
    }
    return true;
  }

  private void departInstead() {
    if (compensation != null) {
      undo(compensation); // with the undos that the body has shown so far
    } else {
      Failure why = fence.failure();
      exit.fail(why != null ? why : Failure.of("stopped", "the body did not return", true));
    }
  }
}
