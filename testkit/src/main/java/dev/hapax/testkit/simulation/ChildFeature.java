package dev.hapax.testkit.simulation;

import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run calls or starts another one, under its own key or a key that others use too, so that calls
 * attach to existing runs, meet another input, or would close a circle.
 */
final class ChildFeature implements Feature {
  private @Nullable Flow<Plan, String> child;
  private @Nullable Flow<Plan, String> undoing;
  private final List<Observation> observations = new ArrayList<>();

  @Override
  public List<Flow<Plan, String>> flows(Body body) {
    Flow<Plan, String> stops = PlannedFlows.builder("child").body(PlannedFlows.body(body));
    Flow<Plan, String> undoes =
        PlannedFlows.builder("undoing-child")
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(PlannedFlows.body(body));
    child = stops;
    undoing = undoes;
    return List.of(stops, undoes);
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.CHILD;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    String own = scene.run().id() + "/" + step.name() + "/" + scene.item() + "/" + scene.round();
    String key = step.version() == 0 ? "run-" + step.seconds() % 5 : own;
    var plan = new Plan(key, step.parts());
    Flow<Plan, String> flow = Objects.requireNonNull(step.seconds() % 3 == 0 ? undoing : child);
    if (step.seconds() % 4 == 0) {
      return scene.run().spawn(step.name(), flow, plan);
    }
    String output = scene.run().call(step.name(), flow, plan);
    if (!scene.isPlanned()) {
      observations.add(new Observation.ChildReturned(scene.run().id(), flow.name(), key));
    }
    return output;
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
