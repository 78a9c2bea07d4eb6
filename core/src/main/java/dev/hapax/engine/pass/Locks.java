package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.replay.LockFailure;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Line;
import dev.hapax.flow.Lock;
import dev.hapax.flow.Names;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * Sections of a body under a lock. The run holds the lock from the commit that grants it to the
 * commit that carries the end of the section, no matter what happens to the process in between. A
 * run that must wait for the lock leaves memory.
 */
final class Locks {
  private final StepPlace context;
  private final Fiber fiber;

  Locks(StepPlace context, Fiber fiber) {
    this.context = context;
    this.fiber = fiber;
  }

  private record Held(Step step, String key, long fence, boolean isPast) implements Lock {}

  <T extends @Nullable Object> T locked(
      String name, String key, RunContext.Section<? extends T> section) throws Exception {
    Names.key("a lock", key);
    Held held = context.inEngine(name, StepKind.LOCK, (step, state) -> acquire(step, key, state));
    boolean unwound = false;
    try {
      return section.run(held);
    } catch (Unwind unwind) { // the run waits and keeps the lock, or ends, which releases it
      unwound = true;
      throw unwind;
    } catch (Exception | Error e) {
      Unwind unanswered = fiber.pass().fence().closeIfUnanswered(e);
      if (unanswered != null) { // the section goes on when the run is tried again
        unwound = true;
        throw unanswered;
      }
      throw e;
    } finally {
      if (!unwound && !held.isPast()) {
        release(held);
      }
    }
  }

  private Held acquire(Step step, String key, @Nullable StepState state) {
    if (state instanceof StepState.Finished(_, var fence)) {
      return new Held(step, key, Long.parseLong(String.valueOf(fence)), true);
    }
    if (state instanceof StepState.Locked(long fence)) {
      return new Held(step, key, fence, false);
    }
    context.stopIfAsked();
    var entry = new LockEntry.LockAsked(step, key);
    var question = new Change.Lock(line(key), step);
    return switch (fiber.ask(entry, question)) {
      case Answer.Locked(long fence) -> new Held(step, key, fence, false);
      case Answer.LockTaken _ -> throw fiber.park(RunStatus.WAITING, null);
      case Answer.LockImpossible impossible -> throw failed(LockFailure.of(step, impossible));
      case ClaimAnswer.Refused _ -> throw fiber.lookAgain();
      default -> throw new IllegalStateException("unexpected answer to a lock");
    };
  }

  private void release(Held held) {
    fiber.pass().fence().enter(fiber);
    try {
      fiber.add(
          new LockEntry.LockReleased(held.step(), held.key(), held.fence()),
          new Change.Unlock(line(held.key()), held.step()));
    } finally {
      fiber.pass().fence().leave(fiber);
    }
  }

  private static StepFailed failed(Failure failure) {
    return StepFailures.of(failure);
  }

  private Line line(String key) {
    return Line.lock(fiber.identity().tenant(), key);
  }
}
