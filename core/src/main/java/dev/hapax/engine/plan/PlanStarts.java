package dev.hapax.engine.plan;

import dev.hapax.admission.RunAdmission;
import dev.hapax.admission.StartRequest;
import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.CallReplay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayPlan.Decision;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.ChildKey;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.start.CallRule;
import org.jspecify.annotations.Nullable;

/**
 * The messages and child runs of a planned body. Those that are there already are kept or heard;
 * the others would begin, which is as good as sending. Used by one thread.
 */
final class PlanStarts {
  private final PlanWalk walk;
  private final PlanContext.Reads reads;

  PlanStarts(PlanWalk walk, PlanContext.Reads reads) {
    this.walk = walk;
    this.reads = reads;
  }

  /**
   * A child run that a body asks for.
   *
   * @param key given by the body; null if it gives none
   */
  record Wanted<I>(Flow<I, ?> flow, @Nullable String key, I input) {}

  // ---- messages

  /** Returns the id of the message. */
  String publish(Step step, Message message) {
    var identity = walk.identity();
    String id = StoredMessage.idFrom(identity.tenant(), identity.id(), step);
    NewRun delivery = delivery(step, message, id);
    var item = new PlanItem(step, ReplayPlan.Type.MESSAGE, message.destination(), id);
    KeyHolder holder = reads.store().holder(delivery.id());
    if (holder == null) {
      walk.send(item, delivery, "publishes to '%s'".formatted(message.destination()));
    } else {
      walk.note(
          item.by(delivery.id().toString()),
          Decision.REUSE,
          "it was published before, and is not delivered again");
    }
    return id;
  }

  private NewRun delivery(Step step, Message message, String id) {
    try {
      return StoredMessage.of(id, message).delivery(0, walk.identity().tenant());
    } catch (NotSerializable e) {
      throw StepFailures.of(Failure.of(e.code(), String.valueOf(e.getMessage()), false).at(step));
    }
  }

  // ---- child runs

  /** A call that the run has made before: it hears how its child has ended. */
  @Nullable String attached(Step step, StepState.Calling calling) {
    Run child = reads.store().run(calling.child());
    if (child == null) {
      throw walk.missing(step, "waits for a run that is no longer kept");
    }
    return heard(
        step, calling.call(), child, CallRule.looksAgain(child, walk.run(), null).answer());
  }

  /** Returns the output of the child, as JSON text. */
  @Nullable String called(Step step, Wanted<?> wanted, OnFailed onFailed) {
    NewRun run = prepared(step, wanted).childOf(walk.run(), 0);
    return switch (reads.store().holder(run.id())) {
      case null -> {
        walk.send(item(step, run), run, starts(run));
        throw walk.missing(step, "starts a run, and its answer is not there yet");
      }
      case KeyHolder.Present(var child, var _) -> met(step, wanted, run, child, onFailed);
      case KeyHolder.Expired(var old, var _) ->
          ended(CallReplay.stateAfter(calling(step, run), new CallAnswer.Gone(old.number())));
    };
  }

  private @Nullable String met(
      Step step, Wanted<?> wanted, NewRun run, Run child, OnFailed onFailed) {
    boolean repeats = onFailed == OnFailed.RETRY;
    CallRule.Retry retry =
        walk.isCorrected() || repeats
            ? new CallRule.Retry("run " + walk.identity().id(), null, walk.isCorrected(), repeats)
            : null;
    CallRule rule = CallRule.meets(child, run, takesAny(wanted.flow()), retry);
    if (rule.reopening() == null) {
      return heard(step, calling(step, run), child, rule.answer());
    }
    walk.send(
        item(step, run).by(child.id().toString()),
        run,
        "lets run %s go on, which is %s; its effects are not in this plan"
            .formatted(child.id(), child.status().word()));
    throw walk.missing(step, "lets a run go on, and its answer is not there yet");
  }

  private @Nullable String heard(Step step, CallEntry.Called call, Run child, CallAnswer answer) {
    walk.note(
        new PlanItem(step, ReplayPlan.Type.RUN, child.flow(), child.key())
            .by(child.id().toString()),
        Decision.REUSE,
        "attached to run %s, which is %s".formatted(child.id(), child.status().word()));
    StepState state = CallReplay.stateAfter(call, answer);
    if (state instanceof StepState.Calling) {
      throw walk.missing(
          step, "is attached to run %s, which is %s".formatted(child.id(), child.status().word()));
    }
    return ended(state);
  }

  private static @Nullable String ended(@Nullable StepState state) {
    return switch (state) {
      case StepState.Finished(_, var output) -> output;
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      case null, default -> throw new IllegalStateException("unexpected state of a call: " + state);
    };
  }

  /** Starts a run that nobody waits for, and returns its id. */
  String spawned(Step step, Wanted<?> wanted) {
    NewRun run = prepared(step, wanted).childOf(walk.run(), 0);
    switch (reads.store().holder(run.id())) {
      case null -> walk.send(item(step, run), run, starts(run));
      case KeyHolder.Present(var child, var _) ->
          note(step, run, wanted, Answer.Spawned.found(child, run), child.status().word());
      case KeyHolder.Expired(var old, var _) ->
          note(step, run, wanted, Answer.SpawnExpired.of(old), "expired");
    }
    return run.id().toString();
  }

  private void note(Step step, NewRun run, Wanted<?> wanted, Answer answer, String status) {
    walk.note(
        item(step, run).by(run.id().toString()),
        Decision.REUSE,
        "run %s is there, and is %s".formatted(run.id(), status));
    var entry =
        new CallEntry.SpawnedRun(
            step,
            run.flow(),
            run.release(),
            run.key(),
            run.id().toString(),
            takesAny(wanted.flow()));
    var _ = ended(CallReplay.stateAfter(entry, answer));
  }

  private static CallEntry.Called calling(Step step, NewRun run) {
    return new CallEntry.Called(step, run.flow(), run.release(), run.key(), run.id().toString());
  }

  private static PlanItem item(Step step, NewRun run) {
    return new PlanItem(step, ReplayPlan.Type.RUN, run.flow(), run.key());
  }

  private static String starts(NewRun run) {
    return "starts run %s; its effects are not in this plan".formatted(run.id());
  }

  private static boolean takesAny(Flow<?, ?> flow) {
    return flow.conflict() == Flow.Conflict.RETURN;
  }

  private <I> NewRun prepared(Step step, Wanted<I> wanted) {
    var identity = walk.identity();
    try {
      return reads
          .starts()
          .prepareChild(
              new StartRequest<>(
                  identity.tenant(),
                  wanted.flow(),
                  wanted.input(),
                  wanted.key(),
                  ChildKey.of(identity.id(), step),
                  null));
    } catch (RunAdmission.InvalidInput e) {
      throw StepFailures.of(Failure.of(e.code(), String.valueOf(e.getMessage()), false).at(step));
    }
  }
}
