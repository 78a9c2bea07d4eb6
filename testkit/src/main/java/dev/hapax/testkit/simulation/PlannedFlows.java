package dev.hapax.testkit.simulation;

import dev.hapax.flow.Flow;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
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
  private final PlannedEffects effects;
  private final List<Flow<Plan, String>> flows = new ArrayList<>();
  private final List<Flow<Plan, String>> started = new ArrayList<>();
  private final List<Flow<Plan, String>> ofFeatures;

  PlannedFlows(UnreliableWorld world, Mutation mutation, Features features) {
    this.world = world;
    this.mutation = mutation;
    this.features = features;
    this.effects =
        new PlannedEffects(
            world,
            mutation,
            features.has(CompensationFeature.class),
            features.has(ReplayFeature.class));
    for (int release = 1; release <= NEWEST; release++) {
      started.add(flow("order", Flow.Conflict.REJECT, release, null));
      started.add(flow("sync", Flow.Conflict.RETURN, release, null));
      started.add(flow("event", Flow.Conflict.NEW, release, null));
      started.add(flow("hurry", Flow.Conflict.REJECT, release, Duration.ofMinutes(20)));
    }
    ofFeatures = features.flows(this::carryOut);
    started.addAll(ofFeatures);
    flows.addAll(started);
    flows.addAll(features.ownFlows(this::carryOut));
  }

  /** Draws a flow for a client to start: half of the time one that only features have. */
  Flow<Plan, String> drawFlow(Choices choices) {
    List<Flow<Plan, String>> some =
        !ofFeatures.isEmpty() && choices.below(2) == 1 ? ofFeatures : started;
    return some.get(choices.below(some.size()));
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

  /** Whether clients may do something with the run, and expect it to be there in the end. */
  boolean has(Run run) {
    return flows.stream()
        .anyMatch(flow -> flow.name().equals(run.flow()) && flow.retention().equals(FOR_EVER));
  }

  /** Whether a run that is canceled also undoes its effects. */
  boolean drawsCompensation(Choices choices) {
    return features.has(CompensationFeature.class) && choices.below(2) == 1;
  }

  /** Whether people replay runs. */
  boolean areReplayed() {
    return features.has(ReplayFeature.class);
  }

  /** Draws a status that a client may retry. */
  RunStatus drawsFailed(Choices choices) {
    return features.palette() == null
        ? RunStatus.FAILED
        : choices.oneOf(RunStatus.FAILED, RunStatus.PARTIAL);
  }

  private Flow<Plan, String> flow(
      String name, Flow.Conflict conflict, int release, @Nullable Duration timeout) {
    var builder = builder(name).conflict(conflict).release(release);
    if (timeout != null) {
      builder.timeout(timeout);
    }
    return builder.body((run, plan) -> carryOut(run, plan, mutation.codeFor(release)));
  }

  /** Returns a builder for a flow that uses the keys of its plans. */
  static Flow.Builder<Plan, String> builder(String name) {
    return Flow.of(name, Plan.class, String.class).key(Plan::key).retention(FOR_EVER);
  }

  /** Returns the whole body of a flow that has one release. */
  static Flow.Body<Plan, String> body(Feature.Body parts) {
    return (run, plan) -> parts.carryOut(new Scene(run, 1), plan.steps());
  }

  /** Draws a plan for a client. */
  Plan draw(Choices choices) {
    Plan.Palette palette = features.palette();
    return palette == null ? Plan.draw(choices) : Plan.draw(choices, palette);
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
        sleep(run, step);
        yield "slept";
      }
      case SEND -> {
        Plan.PlannedStep now = looked(scene, run, step.inRound(scene.round()));
        if (!scene.isPlanned()) {
          world.askStore();
          world.wanted(run.id(), stepOf(scene, step.name(), item), now.content());
        }
        String key = step.key() + scene.suffix() + picked(scene, run, step);
        yield String.valueOf(effects.send(run, now, key));
      }
      default -> features.of(step.does()).carryOut(scene, step, this::carryOut);
    };
  }

  /** The end of some keys is computed, and computed anew by each replay. */
  private String picked(Scene scene, RunContext run, Plan.PlannedStep step) {
    return !areReplayed() || step.seconds() % 5 != 0
        ? ""
        : picked(scene, run, step, step.name() + "-pick");
  }

  /** So is the end of some contents, and a plan may show another one than the run then computes. */
  private Plan.PlannedStep looked(Scene scene, RunContext run, Plan.PlannedStep step) {
    return !areReplayed() || step.seconds() % 5 != 1
        ? step
        : step.saying(step.content() + picked(scene, run, step, step.name() + "-look"));
  }

  private String picked(Scene scene, RunContext run, Plan.PlannedStep step, String name) {
    Step at = stepOf(scene, name, step.item());
    return run.step(
        name,
        () -> {
          if (!scene.isPlanned()) {
            world.called(run.id(), at, scene.release());
          }
          return "-" + world.below(2);
        },
        String.class);
  }

  private static Step stepOf(Scene scene, String name, @Nullable String item) {
    return item == null ? scene.step(name) : new Step(name, item);
  }

  /** Sleeps for a while, or with features also until a moment, which may have passed. */
  private void sleep(RunContext run, Plan.PlannedStep step) {
    if (features.palette() != null && step.version() == 1) {
      run.sleepUntil(step.name(), SimulatedClock.BEGINNING.plusSeconds(20L * step.seconds()));
    } else {
      run.sleep(step.name(), Duration.ofSeconds(step.seconds()));
    }
  }

  private String compute(
      Scene scene, RunContext run, String name, @Nullable String item, boolean isRead) {
    Step step = stepOf(scene, name, item);
    int release = scene.release();
    if (scene.isPlanned() && !isRead) {
      return run.step(name, () -> world.imagine(step), String.class);
    }
    return isRead
        ? run.read(
            name, READ_AGAIN, () -> world.compute(run.id(), step, release, true), String.class)
        : run.step(name, () -> world.compute(run.id(), step, release, false), String.class);
  }
}
