package dev.hapax.engine;

import dev.hapax.engine.StepState.Calling;
import dev.hapax.engine.StepState.Calling.Next;
import dev.hapax.flow.Flow;
import dev.hapax.run.Answer;
import dev.hapax.run.CallAnswer;
import dev.hapax.run.CallRule;
import dev.hapax.run.ChildKey;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
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

  /** A call that has not ended, and the lane that holds its journal entries. */
  private record Open(Calling calling, @Nullable String lane) {
    Step step() {
      return calling.call().step();
    }
  }

  /**
   * Notes the calls that the journal of a lane holds, so that no child is forgotten when the run
   * ends.
   */
  void learn(@Nullable String lane, Replay replay) {
    replay.steps().forEach((step, state) -> note(lane, step, state));
  }

  /**
   * A child run that a body asks for.
   *
   * @param key given by the body; null if it gives none
   */
  record Wanted<I>(Flow<I, ?> flow, @Nullable String key, I input) {}

  /** Returns the output of the child when it has ended. */
  @Nullable String call(Fiber fiber, Step step, @Nullable StepState state, Wanted<?> wanted) {
    return state instanceof Calling calling
        ? lookAgain(fiber, step, calling, wanted.flow())
        : begin(fiber, step, wanted);
  }

  /** Starts a run without waiting for it, and returns its id. */
  @Nullable String spawn(Fiber fiber, Step step, Wanted<?> wanted) {
    NewRun run = newRun(fiber, step, wanted).childOf(pass.number(), 0);
    var entry =
        new JournalEntry.SpawnedRun(
            step,
            run.flow(),
            run.release(),
            run.key(),
            run.id().toString(),
            takesAny(wanted.flow()));
    StepState state = CallReplay.stateAfter(entry, fiber.ask(entry, new Change.Spawn(run, true)));
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
        new JournalEntry.Called(
            step, child.flow(), child.release(), child.key(), child.id().toString());
    var retry = corrected ? retry(wanted.flow()) : null;
    var question = new Change.Call(child, takesAny(wanted.flow()), retry);
    if (fiber.ask(called, question) instanceof CallAnswer heard) {
      return outcome(fiber, step, called, heard);
    }
    throw fiber.lookAgain();
  }

  private @Nullable String lookAgain(Fiber fiber, Step step, Calling calling, Flow<?, ?> flow) {
    JournalEntry.Called called = calling.call();
    if (!called.flow().equals(flow.name())) {
      throw fiber.mismatch(
          step,
          "its journal holds %s as a call of flow '%s', but now it calls '%s'"
              .formatted(step, called.flow(), flow.name()));
    }
    long child = calling.child();
    Answer answer =
        calling.next() == Next.RETRY
            ? fiber.ask(
                new JournalEntry.CallRetried(step, child), new Change.Await(child, retry(flow)))
            : fiber.ask(new JournalEntry.CallAwaited(step, child), new Change.Await(child, null));
    return outcome(fiber, step, called, (CallAnswer) answer);
  }

  private @Nullable String outcome(
      Fiber fiber, Step step, JournalEntry.Called called, CallAnswer heard) {
    StepState state = CallReplay.stateAfter(called, heard);
    note(fiber.lane().name(), step, state);
    if (state instanceof Calling) {
      throw fiber.park(RunStatus.WAITING, null); // the child's end wakes it
    }
    return outcome(state);
  }

  private static @Nullable String outcome(StepState state) {
    return switch (state) {
      case StepState.Finished(_, var output) -> output;
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      default -> throw new IllegalStateException("a call came to " + state);
    };
  }

  /** Notes the new state of a call. */
  void note(@Nullable String lane, Step step, @Nullable StepState state) {
    if (state instanceof Calling calling) {
      underWay.put(step, new Open(calling, lane));
    } else {
      underWay.remove(step);
    }
  }

  private <I> NewRun newRun(Fiber fiber, Step step, Wanted<I> wanted) {
    try {
      var identity = fiber.identity();
      String otherwise = ChildKey.of(identity.id(), step);
      return parts
          .children()
          .newRun(
              new ChildRuns.Request<>(
                  identity.tenant(), wanted.flow(), wanted.input(), wanted.key(), otherwise));
    } catch (ChildRuns.Invalid e) {
      throw fail(fiber, step, Failure.of(e.code(), String.valueOf(e.getMessage()), false));
    }
  }

  private RuntimeException fail(Fiber fiber, Step step, Failure failure) {
    Failure here = failure.at(step);
    fiber.add(new JournalEntry.CallFailed(step, here));
    return StepFailures.of(here);
  }

  private CallRule.Retry retry(Flow<?, ?> flow) {
    Duration timeout = flow.timeout();
    Instant until = timeout == null ? null : parts.clock().now().plus(timeout);
    return new CallRule.Retry(actor(), until);
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
   * others. Each request is written to the lane of its call.
   */
  void askToStop(Fiber body, String reason, boolean compensate) {
    var wish = new Run.Cancel(actor(), reason, compensate);
    List<Open> toAsk =
        underWay.values().stream().filter(open -> open.calling().next() != Next.STOPPED).toList();
    for (Open open : toAsk) {
      Calling calling = open.calling();
      Fiber fiber = inLane(body, open);
      fiber.add(
          new JournalEntry.CallStopped(open.step(), calling.child()),
          new Change.StopChild(calling.child(), wish));
      if (!fiber.equals(body)) {
        fiber.writer().handOverTo(body.writer());
      }
      underWay.put(open.step(), new Open(calling.then(Next.STOPPED), open.lane()));
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
        var look = new JournalEntry.CallAwaited(open.step(), child);
        Answer heard = inLane(body, open).ask(look, new Change.Await(child, null));
        if (heard instanceof CallAnswer.UnderWay) {
          throw body.park(RunStatus.WAITING, null);
        }
        underWay.remove(open.step());
      }
    }
  }

  private static Fiber inLane(Fiber body, Open open) {
    String lane = open.lane();
    return lane == null ? body : body.fork(new ItemJournal(lane, body.lane().replay()));
  }
}
