package dev.hapax.engine.plan;

import dev.hapax.effect.Payload;
import dev.hapax.engine.pass.ItemOutputs;
import dev.hapax.engine.pass.ItemPath;
import dev.hapax.engine.pass.RoundEnd;
import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.Each;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Items;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.TypeToken;
import dev.hapax.json.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a planned body. Items and rounds that have ended answer from the journal, the others
 * are walked one after the other. Used by one thread.
 */
final class PlanLoops {
  private final PlanContext context;
  private final PlanWalk walk;
  private final @Nullable String item;

  PlanLoops(PlanContext context, PlanWalk walk, @Nullable String item) {
    this.context = context;
    this.walk = walk;
    this.item = item;
  }

  <T> StepState.Looped walked(
      String name, Each<T> each, RunContext.ItemWork<T, ? extends @Nullable Object> work) {
    Step step = context.step(name);
    if (context.state(step, StepKind.LOOP) instanceof StepState.Looped looped) {
      return looped;
    }
    var outputs = new ItemOutputs();
    var failures = new ArrayList<Items.Failed>();
    AnswerMissing missing = null;
    int index = 0;
    for (T one : each.items()) {
      String key = each.keyOf(one);
      String path = ItemPath.within(item, key);
      try {
        String output = ended(endOf(step, path), path, one, work);
        outputs.ended(index++, key, output, null);
      } catch (AnswerMissing e) {
        missing = missing == null ? e : missing;
      } catch (StepFailed e) {
        Failure failure = StepFailures.from(e);
        failures.add(new Items.Failed(path, failure.code(), failure.message()));
        outputs.ended(index++, key, null, failure);
      }
    }
    if (missing != null) {
      throw missing;
    }
    return new StepState.Looped(
        new Items(index - failures.size(), failures.size(), failures), outputs.text(walk::valueOf));
  }

  private static Step endOf(Step loop, String path) {
    return new Step(loop.name(), path, loop.round());
  }

  private <T> @Nullable String ended(
      Step end, String path, T one, RunContext.ItemWork<T, ? extends @Nullable Object> work) {
    switch (walk.part(path).endOf(end)) {
      case StepState.Finished(_, var output) -> {
        return output;
      }
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      case null, default -> {}
    }
    return carriedOut(end, () -> Payload.writeResult(work.run(context.at(path), one)));
  }

  /** The work of an item or a round. */
  private interface Work {
    String run() throws Exception;
  }

  private String carriedOut(Step end, Work work) {
    try {
      return work.run();
    } catch (StepFailed e) {
      throw e;
    } catch (Exception e) {
      walk.refuseUnanswered(e);
      throw StepFailures.of(StepFailures.from(e).at(end));
    }
  }

  // ---- rounds

  /** The first round that lacks an answer ends the walk: nobody knows what follows it. */
  <S> @Nullable S repeated(
      String name, int maxRounds, RunContext.RepeatedWork<S> work, TypeToken<S> type) {
    Step step = context.step(name);
    StepState state = context.state(step, StepKind.LOOP);
    if (state instanceof StepState.Looped(_, var results)) {
      return typed(results == null ? null : walk.valueOf(results), type);
    }
    RoundEnd last = state instanceof StepState.Looping(int noted) ? known(step, noted - 1) : null;
    while (last == null || !last.isLast()) {
      int index = last == null ? 0 : last.index() + 1;
      if (index >= maxRounds) {
        throw walk.impossible(step, "its %,d rounds have ended".formatted(maxRounds));
      }
      last = round(step, index, last == null ? null : last.state(), work, type);
    }
    return typed(last.state(), type);
  }

  private static String pathOf(@Nullable String item, int index) {
    return ItemPath.within(item, Integer.toString(index));
  }

  private @Nullable RoundEnd known(Step step, int index) {
    String path = pathOf(item, Math.max(0, index));
    return index >= 0
            && walk.part(path).endOf(endOf(step, path)) instanceof StepState.Finished(_, var text)
        ? RoundEnd.read(index, walk.valueOf(String.valueOf(text)))
        : null;
  }

  private <S> RoundEnd round(
      Step step,
      int index,
      @Nullable String before,
      RunContext.RepeatedWork<S> work,
      TypeToken<S> type) {
    String path = pathOf(item, index);
    Step end = endOf(step, path);
    return switch (walk.part(path).endOf(end)) {
      case StepState.Finished(_, var text) ->
          RoundEnd.read(index, walk.valueOf(String.valueOf(text)));
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      case null, default ->
          RoundEnd.read(
              index,
              carriedOut(
                  end,
                  () -> RoundEnd.write(work.run(context.at(path), index, typed(before, type)))));
    };
  }

  @SuppressWarnings("unchecked") // the state was written as this type
  private static <S> @Nullable S typed(@Nullable String state, TypeToken<S> type) {
    return state == null || state.equals("null") ? null : (S) Json.readAs(state, type.type());
  }
}
