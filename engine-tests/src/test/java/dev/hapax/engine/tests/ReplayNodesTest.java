package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A replay is planned and applied at any node, and never beside a run that is under way. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayNodesTest extends TwoNodesTest {
  private final World world = new World();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  private final Flow<Order, Receipt> flow =
      orders("shop")
          .body(
              (run, order) -> {
                run.effect(
                    "charge",
                    Effect.create(order.id()).keyed().name("charge"),
                    key -> {
                      entered.countDown();
                      awaitUninterruptibly(goOn);
                      world.apply("charge");
                    });
                return new Receipt(order.id(), "");
              });

  @Test
  void a_run_that_another_node_holds_is_refused_and_is_replayed_here_when_it_has_ended() {
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    eventually(() -> entered.getCount() == 0);

    assertThatThrownBy(() -> two.hapax.replays().plan(run.id(), ReplayWish.ALL))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("it continues by itself. Cancel it first");
    Job held = two.hapax.jobs().planNow(request(run));
    assertThat(two.hapax.replays().planned(held.id(), null, 0, 1))
        .extracting(PlannedReplay::problem)
        .first()
        .asString()
        .contains("Cancel it first");

    goOn.countDown();
    eventually(() -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    Job plan = two.hapax.jobs().planNow(request(run));
    two.hapax.jobs().apply(plan.id(), "ann", null);
    moveUntil(SECOND, () -> one.hapax.jobs().job(plan.id()).state() == JobState.DONE);
    moveUntil(
        SECOND,
        () ->
            one.hapax.history(run.id()).stream()
                    .filter(entry -> entry.type().equals("ended"))
                    .count()
                == 2);

    assertThat(one.hapax.jobs().job(plan.id()).done()).isEqualTo(1);
    assertThat(world.count()).isEqualTo(1);
  }

  private static JobRequest request(RunHandle<?> run) {
    return JobRequest.replay(JobSelection.of(run.id()), ReplayWish.ALL, "ann");
  }
}
