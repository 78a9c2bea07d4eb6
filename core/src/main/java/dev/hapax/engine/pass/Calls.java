package dev.hapax.engine.pass;

import dev.hapax.admission.RunAdmission;
import dev.hapax.admission.StartRequest;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.CallReplay;
import dev.hapax.engine.replay.ChildFailure;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.replay.StepState.Calling;
import dev.hapax.engine.replay.StepState.Calling.Next;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.ChildKey;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.start.CallRule;
import dev.hapax.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The child runs of one run. A call is one commit: it starts the child, or finds the run that has
 * its key, and it registers the caller, so that the child's end wakes it.
 */
final class Calls {
  /** How deep calls may be nested. */
  static final int DEEPEST = 64;

  private final RunPass pass;
  private final EngineParts parts;
  private final boolean corrected;
  private final Map<Step, Open> underWay =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(Step::name)
              .thenComparing(Step::item, Comparator.nullsFirst(Comparator.naturalOrder()))
              .thenComparingInt(Step::roundNumber));

  Calls(RunPass pass, EngineParts parts, Replay replay) {
    this.pass = pass;
    this.parts = parts;
    this.corrected = replay.isCorrected();
    learn(null, replay);
  }

  /** A call that has not ended, and the item whose journal holds it. */
  private record Open(Calling calling, @Nullable String item) {
    Step step() {
      return calling.call().step();
    }
  }

  /**
   * Notes the calls that the journal of an item holds, so that no child is forgotten when the run
   * ends.
   */
  void learn(@Nullable String item, Replay replay) {
    replay.steps().forEach((step, state) -> note(item, step, state));
  }

  /**
   * A child run that a body asks for.
   *
   * @param key given by the body; null if it gives none
   */
  record Wanted<I>(Flow<I, ?> flow, @Nullable String key, I input, OnFailed onFailed) {
    Wanted(Flow<I, ?> flow, @Nullable String key, I input) {
      this(flow, key, input, OnFailed.FAIL);
    }
  }

  /** Returns the output of the child when it has ended. */
  @Nullable String call(Fiber fiber, Step step, @Nullable StepState state, Wanted<?> wanted) {
    return state instanceof Calling calling
        ? lookAgain(fiber, step, calling, wanted.flow())
        : begin(fiber, step, wanted);
  }

  /** Starts a run without waiting for it, and returns its id. */
  @Nullable String spawn(Fiber fiber, Step step, Wanted<?> wanted) {
    NewRun run = newRun(fiber, step, wanted).childOf(pass.number(), 0);
    String refusal = refusal(fiber, step, run);
    if (refusal != null && parts.store().holder(run.id()) == null) {
      throw fiber.planStale(step, refusal);
    }
    var entry =
        new CallEntry.SpawnedRun(
            step,
            run.flow(),
            run.release(),
            run.key(),
            run.id().toString(),
            takesAny(wanted.flow()));
    Answer answer = fiber.ask(entry, new Change.Spawn(run, true));
    if (answer instanceof Answer.Spawned met && !met.isFresh()) {
      parts.starts().stopped(run.id(), Door.CHILD, caller(step));
    }
    StepState state = CallReplay.stateAfter(entry, answer);
    if (state == null) {
      throw fiber.lookAgain();
    }
    return outcome(state);
  }

  private @Nullable String begin(Fiber fiber, Step step, Wanted<?> wanted) {
    if (pass.depth() >= DEEPEST) {
      throw fail(fiber, step, ChildFailure.tooDeep(wanted.flow().name(), pass.depth()));
    }
    NewRun child =
        newRun(fiber, step, wanted).childOf(pass.number(), pass.depth() + 1).withoutGate();
    var called =
        new CallEntry.Called(
            step, child.flow(), child.release(), child.key(), child.id().toString());
    boolean repeats = wanted.onFailed() == OnFailed.RETRY;
    var retry = corrected || repeats ? retry(wanted.flow(), corrected, repeats) : null;
    String refusal = refusal(fiber, step, child);
    if (refusal != null && begins(child, takesAny(wanted.flow()), retry)) {
      throw fiber.planStale(step, refusal);
    }
    var question = new Change.Call(child, takesAny(wanted.flow()), retry);
    if (fiber.ask(called, question) instanceof CallAnswer heard) {
      if (isStoppedStart(heard)) {
        parts.starts().stopped(heard.child(), Door.CHILD, caller(step));
      }
      return outcome(fiber, step, called, heard);
    }
    throw fiber.lookAgain();
  }

  /** Why the plan of a replay does not let this run begin; null if it does. */
  private static @Nullable String refusal(Fiber fiber, Step step, NewRun run) {
    return fiber
        .journal()
        .replay()
        .replays()
        .refusal(ReplayPlan.Type.RUN, step, run.flow(), run.key(), run.fingerprint());
  }

  /** Whether a call would start this run, or let it go on after it has failed. */
  private boolean begins(NewRun child, boolean takesAny, CallRule.@Nullable Retry retry) {
    return switch (parts.store().holder(child.id())) {
      case null -> true;
      case KeyHolder.Present(var run, var _) ->
          CallRule.meets(run, child, takesAny, retry).reopening() != null;
      case KeyHolder.Expired _ -> false;
    };
  }

  /** Whether the child's key had a run that this run did not start. */
  private static boolean isStoppedStart(CallAnswer heard) {
    return switch (heard) {
      case CallAnswer.UnderWay underWay -> !underWay.isOwn();
      case CallAnswer.Ended ended -> !ended.isOwn();
      case CallAnswer.KeyReused _, CallAnswer.Cycle _, CallAnswer.LetGo _, CallAnswer.Gone _ ->
          false;
    };
  }

  private String caller(Step step) {
    return "run %s, step %s".formatted(pass.id(), step);
  }

  private @Nullable String lookAgain(Fiber fiber, Step step, Calling calling, Flow<?, ?> flow) {
    CallEntry.Called called = calling.call();
    if (!called.flow().equals(flow.name())) {
      throw fiber.mismatch(
          step,
          "its journal holds %s as a call of flow '%s', but now it calls '%s'"
              .formatted(step, called.flow(), flow.name()));
    }
    long child = calling.child();
    boolean isLimited = fiber.journal().replay().replays().isLimited();
    Answer answer =
        calling.next() == Next.RETRY && !isLimited // the plan of a replay retries no child
            ? fiber.ask(
                new CallEntry.CallRetried(step, child),
                new Change.Await(child, retry(flow, false, false)))
            : fiber.ask(new CallEntry.CallAwaited(step, child), new Change.Await(child, null));
    return outcome(fiber, step, called, (CallAnswer) answer);
  }

  private @Nullable String outcome(
      Fiber fiber, Step step, CallEntry.Called called, CallAnswer heard) {
    StepState state = CallReplay.stateAfter(called, heard);
    note(fiber.journal().name(), step, state);
    if (state instanceof Calling) {
      throw fiber.park(RunStatus.WAITING, null); // the child's end wakes it
    }
    return outcome(state);
  }

  private static @Nullable String outcome(StepState state) {
    return switch (state) {
      case StepState.Finished(_, var output) -> output;
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      default -> throw new IllegalStateException("unexpected state of a call: " + state);
    };
  }

  /** Notes the new state of a call. */
  void note(@Nullable String item, Step step, @Nullable StepState state) {
    if (state instanceof Calling calling) {
      underWay.put(step, new Open(calling, item));
    } else {
      underWay.remove(step);
    }
  }

  private <I> NewRun newRun(Fiber fiber, Step step, Wanted<I> wanted) {
    try {
      var identity = fiber.identity();
      String otherwise = ChildKey.of(identity.id(), step);
      return parts
          .starts()
          .prepareChild(
              new StartRequest<>(
                  identity.tenant(), wanted.flow(), wanted.input(), wanted.key(), otherwise, null));
    } catch (RunAdmission.InvalidInput e) {
      throw fail(fiber, step, Failure.of(e.code(), String.valueOf(e.getMessage()), false));
    }
  }

  private RuntimeException fail(Fiber fiber, Step step, Failure failure) {
    Failure here = failure.at(step);
    fiber.add(new CallEntry.CallFailed(step, here));
    return StepFailures.of(here);
  }

  private CallRule.Retry retry(Flow<?, ?> flow, boolean corrects, boolean anyones) {
    Duration timeout = flow.timeout();
    Instant until = timeout == null ? null : parts.clock().now().plus(timeout);
    return new CallRule.Retry(actor(), until, corrects, anyones);
  }

  private static boolean takesAny(Flow<?, ?> flow) {
    return flow.conflict() == Flow.Conflict.RETURN;
  }

  /** The name under which this run acts on its children. */
  private String actor() {
    return "run " + pass.id();
  }

  /** A call that the body should have reached; null if there is none. */
  @Nullable Step firstUnderWay() {
    return underWay.values().stream()
        .filter(open -> open.calling().next() == Next.LOOK)
        .map(Open::step)
        .findFirst()
        .orElse(null);
  }

  // ---- ending early

  /**
   * Called when the run is to end. Asks the children that it started to end too, and lets go of the
   * others. Each request is written to the journal of its call.
   */
  void askToStop(Fiber body, String reason, boolean compensate) {
    var wish = new Run.Cancel(actor(), reason, compensate);
    List<Open> toAsk =
        underWay.values().stream().filter(open -> open.calling().next() != Next.STOPPED).toList();
    for (Open open : toAsk) {
      Calling calling = open.calling();
      Fiber fiber = inItem(body, open);
      fiber.add(
          new CallEntry.CallStopped(open.step(), calling.child()),
          new Change.StopChild(calling.child(), wish));
      if (!fiber.equals(body)) {
        fiber.writer().handOverTo(body.writer());
      }
      underWay.put(open.step(), new Open(calling.then(Next.STOPPED), open.item()));
    }
    if (!toAsk.isEmpty()) {
      body.commit();
    }
    for (Open open : toAsk) {
      if (open.calling().isOwn()) {
        parts.hearCancel().accept(open.calling().child());
      }
    }
  }

  /** Parks the run until the children that it has asked to end have done so. */
  void awaitStopped(Fiber body) {
    for (Open open : List.copyOf(underWay.values())) {
      long child = open.calling().child();
      if (open.calling().isOwn()) {
        var look = new CallEntry.CallAwaited(open.step(), child);
        Answer heard = inItem(body, open).ask(look, new Change.Await(child, null));
        if (heard instanceof CallAnswer.UnderWay) {
          throw body.park(RunStatus.WAITING, null);
        }
        underWay.remove(open.step());
      }
    }
  }

  private static Fiber inItem(Fiber body, Open open) {
    String item = open.item();
    return item == null ? body : body.fork(new ItemJournal(item, body.journal().replay()));
  }
}
