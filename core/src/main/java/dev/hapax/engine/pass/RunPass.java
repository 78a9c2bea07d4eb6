package dev.hapax.engine.pass;

import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.Alerts;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.Journals;
import dev.hapax.engine.replay.ReadJournal;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.engine.replay.Stopping;
import dev.hapax.engine.replay.WaitBook;
import dev.hapax.engine.writing.FiberWriter;
import dev.hapax.engine.writing.OpenEffects;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.engine.writing.RunWriter;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.limit.ValueMemory;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.time.Threads;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stay of a run in memory: from its start or wake-up to its next wait or its end. The body runs
 * on this pass's own thread. Recorded steps answer from the journal; the first step that is not
 * recorded is executed.
 */
public final class RunPass {
  private static final Logger log = LoggerFactory.getLogger(RunPass.class);

  private final EngineParts parts;
  private final BodyRunner bodies;
  private final Flow<?, ?> flow;
  private final RunFacts facts;
  private final Replay replay;
  private final OpenEffects open;
  private final RunWriter journal;
  private final Fiber body;
  private final Queue<AtomicReference<Threads.@Nullable Handle>> besideBody =
      new ConcurrentLinkedQueue<>();
  private final ItemJournals itemJournals;
  private final Calls calls;
  private final BodyFence fence = new BodyFence();
  private final JournalMatch match;
  private final Stopping stopping;
  private final RunExit exit;
  private final @Nullable Compensation compensation;
  private final boolean onlyTells;
  private final long begunAt;
  private volatile boolean suspect;
  private volatile Runnable interruptBody = () -> {};
  private volatile Runnable leftBehind = () -> {};

  /** The journal as read so far, for the next pass; null if reading it again costs little. */
  private @Nullable ReadJournal toKeep;

  /** For a run that its first commit inserts. */
  public RunPass(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      NewRun run,
      PendingStart pendingStart) {
    this(parts, bodies, flow, PassBasis.ofNew(parts, run, pendingStart), null);
    body.writer().insertSoon();
  }

  /** For a run that belongs to this process and is taken up again. */
  public RunPass(EngineParts parts, BodyRunner bodies, Flow<?, ?> flow, Journals.Loaded loaded) {
    this(parts, bodies, flow, PassBasis.ofTaken(parts, loaded), null);
  }

  /**
   * For a run on this basis.
   *
   * @param told learns how to undo the effects of an earlier body, which is only replayed
   */
  RunPass(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      PassBasis basis,
      @Nullable Compensation told) {
    this.parts = parts;
    this.bodies = bodies;
    this.flow = flow;
    this.facts = basis.facts();
    this.replay = basis.replay();
    this.open = new OpenEffects(replay);
    this.journal = basis.journal();
    this.begunAt = journal.seq();
    this.toKeep = basis.toKeep();
    this.match = new JournalMatch(facts.identity().id(), flow, fence);
    this.body = new Fiber(this, new ItemJournal(null, replay), newWriter(null));
    this.itemJournals = new ItemJournals(parts.store(), this, replay);
    this.calls = new Calls(this, parts, replay);
    this.stopping = new Stopping(facts, replay, basis.cancel(), parts.clock().now());
    this.exit = new RunExit(parts, this, flow);
    Failure cause = replay.compensation();
    this.onlyTells = told != null;
    if (told != null || cause == null) {
      this.compensation = told;
    } else {
      this.compensation = new Compensation(body, parts, cause);
    }
  }

  public long number() {
    return facts.identity().run();
  }

  RunId id() {
    return facts.identity().id();
  }

  String key() {
    return facts.identity().key();
  }

  public @Nullable Instant timeoutAt() {
    return facts.timeoutAt();
  }

  long nextId() {
    return parts.ids().next();
  }

  Instant now() {
    return parts.clock().now();
  }

  int depth() {
    return facts.depth();
  }

  /** The alerts about this run. */
  Alerts alerts() {
    return parts.alerts().about(facts.identity().tenant(), flow.alerts());
  }

  RunPort.Identity identity() {
    return facts.identity();
  }

  /** When the event happened that started the run; null unless that time is lost. */
  @Nullable Instant occurredAt() {
    return replay.occurredAt();
  }

  /** The stay, as interceptors see it. */
  public Interceptor.Stay stay(boolean isBeside) {
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

  ItemJournals itemJournals() {
    return itemJournals;
  }

  BodyFence fence() {
    return fence;
  }

  JournalMatch match() {
    return match;
  }

  Stopping stopping() {
    return stopping;
  }

  public RunExit exit() {
    return exit;
  }

  Fiber body() {
    return body;
  }

  RunWriter journal() {
    return journal;
  }

  ValueMemory memory() {
    return parts.memory();
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
  FiberWriter newWriter(@Nullable String item) {
    return new FiberWriter(journal, parts.delayedFlush(), item);
  }

  /**
   * The run was in memory when a process ended. An Error of its body is then not its failure, but
   * thrown to the caller.
   *
   * @param whenFurther called once, when the run gets further than it did before
   */
  public void isSuspect(Runnable whenFurther) {
    suspect = true;
    journal.whenFurther(
        () -> {
          suspect = false;
          whenFurther.run();
        });
  }

  /** Sets how to interrupt the body's thread. */
  public void interruptedBy(Runnable interrupt) {
    interruptBody = interrupt;
  }

  /** Sets what to do when the pass is over though its thread never returns. */
  public void whenLeftBehind(Runnable what) {
    leftBehind = what;
  }

  /** Starts a thread in parallel with the body. Until it ends, it is interrupted like the body. */
  void startBeside(String name, Runnable work) {
    var thread = new AtomicReference<Threads.@Nullable Handle>();
    besideBody.add(thread);
    thread.set(
        parts
            .threads()
            .virtual(
                name,
                () -> {
                  try {
                    work.run();
                  } finally {
                    besideBody.remove(thread);
                  }
                }));
  }

  /** Runs the body and writes down its outcome. */
  @SuppressWarnings("CatchingThrowable")
  public void pass() {
    body.carry();
    body.otherwise(
        () -> {
          leave(null, null);
          if (!isGivenUp()) {
            leftBehind.run();
          }
        });
    if (replay.isQueued() && !stopping.isAsked()) {
      body.writer().add(new RunEntry.SlotGranted());
    }
    String output = null;
    Failure failure = null;
    try {
      output = runBody();
    } catch (Unwind unwind) {
      // the fence is closed, and knows why
    } catch (Throwable thrown) { // also an Error of the body: one bad run never stops the others
      boolean isUnanswered = fence.closeIfUnanswered(thrown) != null;
      if (!isUnanswered
          && suspect
          && thrown instanceof Error error
          && isOfTheMachine(error)
          && fence.decide()) {
        fence.close();
        keepProgress();
        throw error;
      }
      failure = isUnanswered ? null : StepFailures.from(thrown);
    }
    leave(output, failure);
  }

  /** Writes what the body has done so far, above all the answers to its effects. */
  private void keepProgress() {
    journal.whenFurther(() -> {}); // this is all that it will do
    try {
      body.writer().flush();
      journal.awaitAll();
    } catch (RuntimeException e) {
      log.warn("the progress of run {} is lost; its effects under way are in doubt", id(), e);
    }
  }

  /** Not a failed assertion, which is the code's own way to fail. */
  private static boolean isOfTheMachine(Error error) {
    return error instanceof VirtualMachineError || error instanceof LinkageError;
  }

  /** The body has returned, or never will. */
  private void leave(@Nullable String output, @Nullable Failure failure) {
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

  // ---- calls of the context

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
  public boolean writeBeside(JournalEntry entry, Change... changes) {
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

  /**
   * Adds entries that change nothing in the run. False if the run is leaving memory, or if another
   * writer was faster before the run came into memory.
   *
   * @param read the position of the journal that the entries are based on
   */
  public boolean noteBeside(long read, List<JournalEntry> entries, List<Change> changes) {
    FiberWriter writer = newWriter(null);
    synchronized (open) {
      if (fence.isClosed() || read < begunAt) {
        return false;
      }
      entries.forEach(writer::add);
      changes.forEach(writer::add);
      writer.flush();
    }
    try {
      writer.commit();
      return true;
    } catch (RunWriter.Lost e) {
      return false;
    }
  }

  public void requestStop(Stopping.Cause why, Run.@Nullable Cancel wish) {
    if (stopping.ask(why, wish)) {
      interruptBody.run();
      besideBody.forEach(
          thread -> {
            Threads.Handle started = thread.get();
            if (started != null) {
              started.interrupt();
            }
          });
    }
  }

  /**
   * Whether this pass was in vain, though the run may still be ours: another process has written to
   * it, or the store could not answer.
   */
  public boolean isToBeTakenUpAgain() {
    RuntimeException trouble = fence.trouble();
    return trouble instanceof RunWriter.Lost || trouble instanceof StoreUnavailable;
  }

  public boolean isStopRequested() {
    return stopping.isAsked();
  }

  /**
   * Whether another thread than the body's decides how the run continues, and frees its place
   * afterwards. An undo may be under way there when the body's thread returns.
   */
  public boolean isGivenUp() {
    return fence.isGivenUp();
  }

  /**
   * Ends a run that was to be stopped and whose body does not return. The body's thread is left
   * alone and can no longer write. Returns whether the pass is over. An effect under way is waited
   * for, and so is the replay of a run that compensates, because only the replay shows how to undo
   * the rest.
   */
  public boolean abandon() {
    if (fence.isDecided()) {
      return true;
    }
    if ((compensation != null && compensation.needsBody(fence.idleLooks()))
        || !fence.decideInstead()) {
      return false;
    }
    log.warn("run {} was stopped, but its body does not return; its thread is abandoned", id());
    try {
      leaveInstead();
    } finally {
      leftBehind.run();
    }
    return true;
  }

  private void leaveInstead() {
    if (compensation != null) {
      undo(compensation); // with the undos that the body has shown so far
    } else {
      Failure why = fence.failure();
      exit.fail(why != null ? why : Failure.of("stopped", "the body did not return", true));
    }
  }
}
