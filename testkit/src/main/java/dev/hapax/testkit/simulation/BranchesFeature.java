package dev.hapax.testkit.simulation;

import dev.hapax.flow.RunContext;
import java.util.List;

/** Parallel branches of a body. */
final class BranchesFeature implements Feature {
  @Override
  public Plan.Does does() {
    return Plan.Does.BRANCHES;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    List<RunContext.Branch<String>> branches =
        step.parts().stream()
            .<RunContext.Branch<String>>map(
                part -> fiber -> body.carryOut(scene.on(fiber), List.of(part)))
            .toList();
    return String.join("|", scene.run().parallel(branches));
  }
}
