package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A person asks a node for the next attempts of a run that it has never had in memory. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TryNowNodesTest extends TwoNodesTest {
  private static final RetryPolicy HOURLY =
      retries(9).delay(Duration.ofHours(1)).factor(1).within(Duration.ofDays(30));

  private final AtomicInteger calls = new AtomicInteger();

  private String secondTime() throws NotApplied {
    if (calls.incrementAndGet() == 1) {
      throw new NotApplied("503");
    }
    return "applied";
  }

  @Test
  void the_other_node_tries_a_run_that_waits() {
    var effect = Effect.create("A").keyed().retry(HOURLY);
    Flow<Order, Receipt> flow = charging("busy", effect, _ -> secondTime());
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    eventually(() -> calls.get() == 1 && two.hapax.run(run.id()).owner() == null);

    two.hapax.tryNow(run.id(), "ann");

    eventually(() -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(2);
  }

  @Test
  void a_run_that_another_branch_keeps_in_memory_is_tried_there_and_elsewhere_says_why_not()
      throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        orders("branches")
            .body(
                (run, order) -> {
                  run.parallel(
                      List.of(
                          first ->
                              first.effect(
                                  "charge",
                                  Effect.create(order.id()).keyed().retry(HOURLY),
                                  _ -> secondTime(),
                                  String.class),
                          _ -> {
                            entered.countDown();
                            awaitUninterruptibly(released);
                            return "second";
                          }));
                  return new Receipt(order.id(), "");
                });
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();
    eventually(
        () ->
            one.hapax.history(run.id()).stream()
                .anyMatch(line -> line.type().equals("not-applied")));

    assertThatThrownBy(() -> two.hapax.tryNow(run.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("at work on another node")
        .hasMessageContaining("Repeat the call when it waits");
    one.hapax.tryNow(run.id(), "ann");
    released.countDown();

    eventually(() -> one.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(2);
  }
}
