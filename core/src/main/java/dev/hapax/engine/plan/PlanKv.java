package dev.hapax.engine.plan;

import dev.hapax.engine.pass.StepFailures;
import dev.hapax.engine.replay.KvFailure;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import dev.hapax.flow.Step;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The durable map as a planned body sees it: as far as the journal holds its answers. */
final class PlanKv implements KvSteps {
  private final PlanContext context;
  private final PlanWalk walk;

  PlanKv(PlanContext context, PlanWalk walk) {
    this.context = context;
    this.walk = walk;
  }

  private KvResult recorded(String name) {
    Step step = context.step(name);
    StepState state = context.state(step, StepKind.KV);
    if (state instanceof StepState.KvAnswered(var asked, var answer)) {
      Failure failure = KvFailure.of(asked, answer);
      if (failure != null) {
        throw StepFailures.of(failure);
      }
      String value = answer.current(asked.value());
      return new KvResult(
          value == null ? null : walk.valueOf(value), answer.version(), answer.written());
    }
    if (state instanceof StepState.Finished(_, var output)) {
      return new KvResult(output == null ? null : walk.valueOf(output), KvEntry.ABSENT, false);
    }
    throw walk.missing(step, "asks the durable map, and its answer is not there yet");
  }

  @Override
  public KvResult get(String name, String key) {
    return recorded(name);
  }

  @Override
  public KvResult put(String name, String key, @Nullable Object value, @Nullable Duration ttl) {
    return recorded(name);
  }

  @Override
  public KvResult putIfAbsent(
      String name, String key, @Nullable Object value, @Nullable Duration ttl) {
    return recorded(name);
  }

  @Override
  public KvResult compareAndSet(
      String name, String key, long version, @Nullable Object value, @Nullable Duration ttl) {
    return recorded(name);
  }

  @Override
  public KvResult transition(
      String name,
      String key,
      Collection<? extends @Nullable Object> from,
      @Nullable Object to,
      @Nullable Duration ttl) {
    return recorded(name);
  }

  @Override
  public KvResult add(String name, String key, Number by, @Nullable Duration ttl) {
    return recorded(name);
  }

  @Override
  public KvResult delete(String name, String key) {
    return recorded(name);
  }
}
