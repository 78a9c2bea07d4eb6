package dev.hapax.engine.pass;

import dev.hapax.effect.Access;
import dev.hapax.effect.Payload;
import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Read;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.RawType;
import dev.hapax.json.Text;
import dev.hapax.run.journal.StepEntry;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The steps of a run that only compute or read, and the values that the run keeps. */
final class WorkSteps {
  private final StepPlace context;
  private final Fiber fiber;
  private final EngineParts parts;

  WorkSteps(StepPlace context, Fiber fiber, EngineParts parts) {
    this.context = context;
    this.fiber = fiber;
    this.parts = parts;
  }

  /** Computes the step. With retry terms it is tried again: a read does no harm. */
  String compute(
      Step step, @Nullable StepState state, @Nullable Read read, Callable<?> work, Type type) {
    String output = computed(step, state, read, () -> readable(work.call(), type));
    fiber.add(new StepEntry.StepDone(step, fiber.keep(output)));
    return output;
  }

  private static @Nullable Object readable(@Nullable Object value, Type type) {
    RawType lost = RawType.lost(type, value);
    if (lost != null) {
      throw new NotSerializable("its result: " + lost.inStep());
    }
    return value;
  }

  /** Returns the branch that is taken; its name is recorded as it is. */
  String branch(Step step, @Nullable StepState state, Callable<String> choice) {
    String output = computed(step, state, null, choice);
    fiber.add(new StepEntry.Branched(step, Json.read(output, String.class)));
    return output;
  }

  private String computed(
      Step step, @Nullable StepState state, @Nullable Read read, Callable<?> work) {
    StepState.ReadAgain before = state instanceof StepState.ReadAgain again ? again : null;
    if (before != null && parts.clock().now().isBefore(before.retryAt())) {
      throw fiber.park(RunStatus.WAITING, before.retryAt());
    }
    fiber.pass().accept(fiber);
    try {
      return read == null ? callOutside(step, work) : ask(step, read, work);
    } catch (Exception e) {
      Duration pause = askedToWait(e);
      if (pause.isPositive() && NoAnswer.behind(e) != null) {
        throw fiber.park(RunStatus.WAITING, parts.clock().now().plus(pause));
      }
      Unwind unanswered = fiber.pass().fence().closeIfUnanswered(e);
      if (unanswered != null) {
        throw unanswered; // its own code asked a store: it is called again later
      }
      if (e instanceof NotSerializable value) {
        throw context.fail(step, Failure.of(value.code(), String.valueOf(e.getMessage()), false));
      }
      if (e instanceof Rejected refusal) { // it said itself that it will never succeed
        throw context.fail(step, Failure.of(refusal.code(), String.valueOf(e.getMessage()), false));
      }
      String evidence = Text.storable(Text.of(e));
      if (read != null) {
        readAgain(step, before, read.retry(), evidence, askedToWait(e));
      }
      throw context.fail(step, Failure.of("step-failed", evidence, true));
    }
  }

  /**
   * Calls the step's own code as a body is called: outside the engine, where it may block for ever
   * without harm.
   */
  private String callOutside(Step step, Callable<?> work) throws Exception {
    fiber.pass().fence().leave(fiber);
    try {
      return parts
          .interceptor()
          .work(
              fiber.pass().work(step),
              () -> AnswerRoom.within(() -> Payload.writeResult(work.call())));
    } finally {
      fiber.pass().fence().enter(fiber);
    }
  }

  /** Waits for its turn, if it names a destination. */
  private String ask(Step step, Read read, Callable<?> work) throws Exception {
    Access access = parts.ledger().accessOf(read, step, fiber);
    try {
      if (!access.await(fiber::isStopping)) {
        throw fiber.stop();
      }
      String output;
      try {
        output = callOutside(step, work);
      } catch (Exception e) {
        access.heard(e);
        throw e;
      }
      access.heard(null);
      return output;
    } finally {
      access.leave();
    }
  }

  private void readAgain(
      Step step,
      StepState.@Nullable ReadAgain before,
      RetryPolicy retry,
      String evidence,
      Duration asked) {
    Instant now = parts.clock().now();
    int attempt = before == null ? 1 : before.attempts() + 1;
    Instant since = before == null ? now : before.since();
    Duration delay = retry.delayAfter(attempt, parts.random().nextDouble());
    Instant next = now.plus(delay.compareTo(asked) < 0 ? asked : delay);
    if (attempt < retry.attempts() && !next.isAfter(since.plus(retry.within()))) {
      fiber.add(new StepEntry.ReadFailed(step, attempt, evidence, next));
      throw fiber.park(RunStatus.WAITING, next);
    }
  }

  private static Duration askedToWait(Exception e) {
    Duration asked = e instanceof NotApplied busy ? busy.retryAfter() : null;
    return asked == null ? Duration.ZERO : asked;
  }

  /** Returns a reference to a value of the body. */
  String keep(Step step, byte[] content, String contentType) {
    try {
      String ref = Json.write(fiber.keep(content.clone(), contentType).toString());
      fiber.add(new StepEntry.StepDone(step, ref));
      fiber.commit(); // the reference is readable as soon as it is given away
      return ref;
    } catch (NotSerializable e) {
      throw context.fail(step, Failure.of("too-large", String.valueOf(e.getMessage()), false));
    }
  }
}
