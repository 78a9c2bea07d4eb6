package dev.hapax.testkit.simulation;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The code of some runs ends the process that carries it, again after every restart, until a person
 * has removed the cause. That of others does so when they undo what they have done.
 */
final class PoisonFeature implements Feature {
  private static final int LONGEST_LIFE = 9;

  private final Outside outside;
  private final Set<String> cured = new HashSet<>();

  PoisonFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public List<Flow<Plan, String>> flows(Body body) {
    return List.of(
        PlannedFlows.builder("poison")
            .body(
                (run, plan) -> {
                  var scene = new Scene(run, 1);
                  int place = plan.steps().getLast().seconds() % plan.steps().size();
                  body.carryOut(scene, plan.steps().subList(0, place));
                  run.sleep("breath", Duration.ofSeconds(1)); // it is durable when it is poison
                  work(run, plan);
                  return body.carryOut(scene, plan.steps().subList(place, plan.steps().size()));
                }),
        PlannedFlows.builder("poison-saga")
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(
                (run, plan) -> {
                  body.carryOut(new Scene(run, 1), plan.steps());
                  if (isUndoing(run)) {
                    work(run, plan);
                  }
                  throw new IllegalStateException("it comes to nothing");
                }));
  }

  private boolean isUndoing(RunContext run) {
    Run stored = outside.durable().find(RunId.parse(run.id()));
    return stored != null && stored.status() == RunStatus.COMPENSATING;
  }

  /** Ends the process, at once or after a while. */
  private void work(RunContext run, Plan plan) {
    SimulatedNode node = outside.with().scheduler().current().node;
    if (node == null || cured.contains(run.id())) {
      return;
    }
    int seconds = plan.steps().getFirst().seconds();
    Duration life = Duration.ofSeconds(seconds % 2 == 0 ? 0 : seconds % LONGEST_LIFE);
    outside.with().trace().say(outside.with().scheduler().nanos(), () -> run.id() + " is poison");
    outside.with().scheduler().after(life, () -> outside.machines().crash(node, run.id()));
    while (!cured.contains(run.id())) {
      outside.with().scheduler().sleep(Duration.ofMinutes(1)); // until it dies with the process
    }
  }

  @Override
  public void cured(String run) {
    cured.add(run);
  }
}
