package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A child that could go on only when its parent has ended, which waits for it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildBehindParentTest extends EngineTest {

  private final Flow<Order, Receipt> narrow =
      orders("narrow").concurrency(1).body(this::oneAtATime);

  /**
   * The one with the key "parent" calls the one with the key "child", which has lined up by then.
   */
  private Receipt oneAtATime(RunContext run, Order order) {
    if (!order.id().equals("parent")) {
      return new Receipt(order.id(), "done");
    }
    run.sleep("pause", Duration.ofMinutes(1));
    return run.call("call", narrow, "child", order("child"));
  }

  @Test
  void a_child_queued_behind_its_parents_slot_fails_the_call_and_goes_on_after_it() {
    register(narrow);
    RunHandle<Receipt> parent = hapax.start(narrow, order("parent"));
    RunHandle<Receipt> child = hapax.start(narrow, order("child"));
    assertThat(hapax.run(child.id()).status()).isEqualTo(RunStatus.QUEUED);
    awaitReleased(parent);

    moveAndAwait(Duration.ofMinutes(1), () -> hapax.run(parent.id()).status() == RunStatus.FAILED);

    assertThat(errorOf(parent).code()).isEqualTo("child-cycle");
    assertThat(errorOf(parent).message()).contains("slot or lock", child.id());
    awaitStatus(child, RunStatus.SUCCEEDED);
    assertThat(hapax.slots("narrow", null)).isEmpty();
  }

  @Test
  void a_child_that_asks_for_its_parents_lock_fails_with_deadlock() {
    Flow<Order, Receipt> child =
        register(
            orders("child")
                .body((run, order) -> run.locked("take", "L", _ -> new Receipt(order.id(), ""))));
    Flow<Order, Receipt> parent =
        register(
            orders("parent")
                .body((run, order) -> run.locked("take", "L", _ -> run.call("c", child, order))));

    RunHandle<Receipt> run = hapax.start(parent, order("1"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).message()).contains("deadlock", "waits for this run to end");
    assertThat(hapax.locks()).isEmpty();
  }
}
