package dev.hapax.testkit.simulation;

import dev.hapax.flow.Flow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run calls or starts another one, under a key of its own or one that others use too, so that
 * calls attach to runs that are there, meet another input, or would close a circle.
 */
final class ChildFeature implements Feature {
  private @Nullable Flow<Plan, String> known;

  @Override
  public List<Flow<Plan, String>> flows(Body body) {
    Flow<Plan, String> child =
        Flow.of("child", Plan.class, String.class)
            .key(Plan::key)
            .retention(PlannedFlows.FOR_EVER)
            .body((run, plan) -> body.carryOut(new Scene(run, 1), plan.steps()));
    known = child;
    return List.of(child);
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    String own = scene.run().id() + "/" + step.name() + "/" + scene.item() + "/" + scene.round();
    String key = step.version() == 0 ? "run-" + step.seconds() % 5 : own;
    var plan = new Plan(key, step.parts());
    Flow<Plan, String> child = Objects.requireNonNull(known);
    return step.seconds() % 4 == 0
        ? scene.run().spawn(step.name(), child, plan)
        : scene.run().call(step.name(), child, plan);
  }
}
