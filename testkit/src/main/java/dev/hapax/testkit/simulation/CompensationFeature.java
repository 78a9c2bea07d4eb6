package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;

/**
 * Most effects say how they are undone. Some flows undo their effects when they fail or take too
 * long; half of their runs fail at their end. Clients also ask for compensation when they cancel.
 */
final class CompensationFeature implements Feature {
  private static final int LOOKS = 6;
  private static final Duration REGRET = Duration.ofMinutes(8);

  private final Outside outside;
  private int helped;

  CompensationFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public List<Flow<Plan, String>> flows(Body body) {
    return List.of(
        PlannedFlows.builder("saga")
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(failingInTheEnd(body)),
        PlannedFlows.builder("hurried-saga")
            .onFailure(Flow.OnFailure.COMPENSATE)
            .timeout(Duration.ofMinutes(20))
            .body(failingInTheEnd(body)));
  }

  private static Flow.Body<Plan, String> failingInTheEnd(Body body) {
    return (run, plan) -> {
      var scene = new Scene(run, 1);
      String done = body.carryOut(scene, plan.steps());
      int seconds = plan.steps().getLast().seconds();
      if (seconds % 4 == 0) {
        body.carryOut(scene, List.of(note(seconds)));
        run.sleep("second-thoughts", REGRET); // others write over its note meanwhile
      }
      if (seconds % 2 == 0) {
        throw new IllegalStateException("it comes to nothing");
      }
      return done;
    };
  }

  /** All sagas write to the same place, few of them the same. */
  private static Plan.PlannedStep note(int seconds) {
    String content = "content-" + seconds % 3;
    return new Plan.PlannedStep(
        Plan.Does.SEND, "note", null, "profile", "key-0", content, 0, 1, true, List.of());
  }

  /** A helper looks after runs that could not undo their effects. */
  @Override
  public void begin() {
    outside
        .with()
        .scheduler()
        .spawn(
            null,
            "helper",
            () -> {
              for (int i = 0; i < LOOKS; i++) {
                Duration pause = Duration.ofSeconds(outside.with().choices().below(900));
                outside.with().scheduler().sleep(pause);
                help();
              }
            });
  }

  @Override
  public void finish() {
    help();
  }

  private void help() {
    Hapax hapax = outside.machines().hapax();
    if (hapax == null) {
      return;
    }
    var failed = new RunFilter(UnreliableWorld.TENANT, null, null, RunStatus.FAILED, null, 200);
    for (Run run : outside.durable().runs(failed)) {
      Failure error = run.error();
      String step = error == null ? null : error.step();
      if (error != null && step != null && error.code().equals("compensation-failed")) {
        String id = run.id().toString();
        String who = "helper-" + ++helped;
        boolean byHand = outside.with().choices().below(2) == 1;
        Client.tell(
            byHand
                ? () -> hapax.settleStep(id, step, error.item(), null, "undone by hand", who)
                : () -> hapax.retry(id, who));
      }
    }
  }
}
