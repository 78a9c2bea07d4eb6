package dev.hapax.testkit.simulation;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.TransactionEffect;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flows of the simulation: one body that does what its input plans, in several releases. */
final class PlannedFlows {
  static final int NEWEST = 2;
  private static final RetryPolicy READ_AGAIN =
      RetryPolicy.DEFAULT.attempts(3).delay(Duration.ofSeconds(1));

  /** Longer than any clock is set ahead: the witnesses' logs are compared with whole journals. */
  static final Duration FOR_EVER = Duration.ofDays(36_000);

  private final UnreliableWorld world;
  private final Mutation mutation;
  private final Features features;
  private final List<Flow<Plan, String>> flows = new ArrayList<>();

  PlannedFlows(UnreliableWorld world, Mutation mutation, Features features) {
    this.world = world;
    this.mutation = mutation;
    this.features = features;
    for (int release = 1; release <= NEWEST; release++) {
      flows.add(flow("order", Flow.Conflict.REJECT, release, null));
      flows.add(flow("sync", Flow.Conflict.RETURN, release, null));
      flows.add(flow("event", Flow.Conflict.NEW, release, null));
      flows.add(flow("hurry", Flow.Conflict.REJECT, release, Duration.ofMinutes(20)));
    }
    flows.addAll(features.flows(this::carryOut));
  }

  List<Flow<Plan, String>> all() {
    return flows;
  }

  Flow<Plan, String> of(Run run) {
    return flows.stream()
        .filter(flow -> flow.name().equals(run.flow()) && flow.release() == run.release())
        .findFirst()
        .orElseThrow();
  }

  boolean has(Run run) {
    return flows.stream().anyMatch(flow -> flow.name().equals(run.flow()));
  }

  /** What a client may retry. */
  RunStatus drawsFailed(Choices choices) {
    return features.drawn().isEmpty()
        ? RunStatus.FAILED
        : choices.oneOf(RunStatus.FAILED, RunStatus.PARTIAL);
  }

  private Flow<Plan, String> flow(
      String name, Flow.Conflict conflict, int release, @Nullable Duration timeout) {
    var builder =
        Flow.of(name, Plan.class, String.class).key(Plan::key).conflict(conflict).release(release);
    builder.retention(FOR_EVER);
    if (timeout != null) {
      builder.timeout(timeout);
    }
    return builder.body((run, plan) -> carryOut(run, plan, mutation.codeFor(release)));
  }

  /** What a client wants to be done. */
  Plan draw(Choices choices) {
    return features.drawn().isEmpty() ? Plan.draw(choices) : Plan.draw(choices, features.drawn());
  }

  private String carryOut(RunContext run, Plan plan, int release) throws Exception {
    var scene = new Scene(run, release);
    String added = release > 1 ? compute(scene, run, "added-in-release-2", null, false) + "," : "";
    return added + carryOut(scene, plan.steps());
  }

  private String carryOut(Scene scene, List<Plan.PlannedStep> steps) throws Exception {
    List<String> results = new ArrayList<>();
    for (Plan.PlannedStep step : steps) {
      try {
        results.add(carryOut(scene, step));
      } catch (StepFailed e) {
        if (!step.caught()) {
          throw e;
        }
        results.add(e.code());
      }
    }
    return String.join(",", results);
  }

  private String carryOut(Scene scene, Plan.PlannedStep step) throws Exception {
    String item = step.item();
    RunContext run = item == null ? scene.run() : scene.run().item(item);
    return switch (step.does()) {
      case COMPUTE -> compute(scene, run, step.name(), item, false);
      case READ -> compute(scene, run, step.name(), item, true);
      case SLEEP -> {
        run.sleep(step.name(), Duration.ofSeconds(step.seconds()));
        yield "slept";
      }
      case SEND -> String.valueOf(send(run, step, step.key() + scene.suffix()));
      default -> features.of(step.does()).carryOut(scene, step, this::carryOut);
    };
  }

  private String compute(
      Scene scene, RunContext run, String name, @Nullable String item, boolean isRead) {
    Step step = item == null ? scene.step(name) : new Step(name, item);
    int release = scene.release();
    return isRead
        ? run.read(
            name, READ_AGAIN, () -> world.compute(run.id(), step, release, true), String.class)
        : run.step(name, () -> world.compute(run.id(), step, release, false), String.class);
  }

  private @Nullable String send(RunContext run, Plan.PlannedStep step, String businessKey) {
    Destination truth = Destination.named(step.destination());
    Destination declared = mutation.declared(truth);
    if (truth.guard() == Destination.Guarded.TRANSACTION) {
      TransactionEffect<String> effect =
          draft(declared, step, businessKey)
              .transaction(world.database(truth, run.id(), businessKey))
              .name(truth.name())
              .retry(declared.retry())
              .timeout(declared.timeout());
      String content = step.content();
      return run.effect(step.name(), effect, (key, _) -> content + "-" + key, String.class);
    }
    Effect<String> effect =
        guarded(draft(declared, step, businessKey).request(step.content()), declared, truth)
            .name(truth.name())
            .retry(declared.retry())
            .timeout(declared.timeout());
    return run.effect(
        step.name(),
        effect,
        (String key, String request) -> {
          String wireKey = mutation.wireKey(key, run.id());
          var order = new Request.Order(run.id(), businessKey, wireKey, request, null);
          return UnreliableWorld.unquoted(mutation.send(() -> world.send(truth, order)));
        },
        String.class);
  }

  private static Effect.Draft<Void> draft(Destination to, Plan.PlannedStep step, String key) {
    return switch (to.kind()) {
      case CREATE -> Effect.create(key);
      case NOTIFY -> Effect.notify(key);
      case ADDITIVE -> Effect.additive(key);
      case UPDATE ->
          step.version() == 0 ? Effect.update(key) : Effect.update(key).version(step.version());
    };
  }

  private Effect<String> guarded(
      Effect.Draft<String> draft, Destination declared, Destination truth) {
    Effect.LookupBy lookup = key -> world.lookUp(truth, key);
    return switch (declared.guard()) {
      case KEYED ->
          declared.looksUp()
              ? draft.keyed(declared.window(), lookup)
              : draft.keyed(declared.window());
      case UPSERT -> draft.upsert();
      case LOOKUP -> draft.lookup(lookup, declared.settle());
      case NONE -> draft.unguarded(declared.onDoubt());
      case TRANSACTION -> throw new IllegalStateException("has a sender of its own");
    };
  }
}
