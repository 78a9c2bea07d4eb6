package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run calls another flow and goes on with its output. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildRunTest extends EngineTest {
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicBoolean fails = new AtomicBoolean();

  /** A flow without its own key: one step, which fails on request. */
  private Flow<Order, Receipt> child() {
    return Flow.of("child", Order.class, Receipt.class)
        .body(
            (run, order) ->
                run.step(
                    "work",
                    () -> {
                      calls.incrementAndGet();
                      if (fails.get()) {
                        throw new IllegalStateException("no luck");
                      }
                      return new Receipt(order.id(), run.id());
                    },
                    Receipt.class));
  }

  private static Flow<Order, Receipt> parentOf(Flow<Order, Receipt> child) {
    return orders("parent").body((run, order) -> run.call("child", child, order));
  }

  private static Flow<Order, Receipt> parentOf(Flow<Order, Receipt> child, String key) {
    return orders("parent").body((run, order) -> run.call("child", child, key, order));
  }

  private Run childOf(RunHandle<?> parent) {
    List<Run> children = hapax.runs(hapax.runs().childrenOf(hapax.run(parent.id())));
    assertThat(children).hasSize(1);
    return children.getFirst();
  }

  /** A caller that awaits the run has heard of it too, and hears of the retry next. */
  private static void awaitFailure(RunHandle<?> run) {
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
  }

  @Test
  void a_call_returns_the_output_of_its_child() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));

    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));

    assertThat(run.await().order()).isEqualTo("A-1");
    assertThat(calls).hasValue(1);
    Run found = childOf(run);
    assertThat(found.key()).isEqualTo(run.id() + "/child");
    assertThat(found.id().toString()).isEqualTo(hapax.id("child", run.id() + "/child"));
    assertThat(found.depth()).isEqualTo(1);
    assertThat(entry(run, "called").decision())
        .isEqualTo("run %s of flow 'child' release 1 begins".formatted(found.id()));
    assertThat(hapax.history(found.id().toString()).getFirst().decision())
        .endsWith("started by run " + run.id());
  }

  @Test
  void each_item_of_a_loop_has_a_child_of_its_own() {
    Flow<Order, Receipt> child = register(child());
    String longItem = "x".repeat(1000);
    Flow<Order, Integer> parent =
        register(
            Flow.of("loop", Order.class, Integer.class)
                .key(Order::id)
                .body(
                    (run, order) -> {
                      for (String item : List.of("a", "b", longItem)) {
                        run.item(item).call("child", child, new Order(item, 1));
                      }
                      return calls.get();
                    }));

    RunHandle<Integer> run = hapax.start(parent, order("A-1"));

    assertThat(run.await()).isEqualTo(3);
    assertThat(hapax.runs(hapax.runs().childrenOf(hapax.run(run.id()))))
        .extracting(Run::key)
        .contains(run.id() + "/child:a", run.id() + "/child:b")
        .hasSize(3);
  }

  @Test
  void two_parents_share_the_child_whose_key_both_compute() {
    Flow<Order, Receipt> shared =
        register(
            orders("shared")
                .body(
                    (run, order) -> {
                      run.sleep("pause", Duration.ofHours(1));
                      return new Receipt(order.id(), "shared " + calls.incrementAndGet());
                    }));
    Flow<Order, Receipt> parent =
        register(
            Flow.of("parent", Order.class, Receipt.class)
                .body((run, order) -> run.call("child", shared, order)));
    RunHandle<Receipt> one = hapax.start(parent, order("A-1"), "one");
    RunHandle<Receipt> two = hapax.start(parent, order("A-1"), "two");
    awaitStatus(one, RunStatus.WAITING);
    awaitStatus(two, RunStatus.WAITING);

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(one.id()).status() == RunStatus.SUCCEEDED);

    assertThat(one.await().key()).isEqualTo("shared 1");
    assertThat(two.await().key()).isEqualTo("shared 1");
    Run run = hapax.run(hapax.id("shared", "A-1"));
    assertThat(List.of(hapax.run(one.id()).number(), hapax.run(two.id()).number()))
        .contains(run.parent());
    assertThat(List.of(entry(one, "called").decision(), entry(two, "called").decision()))
        .anyMatch(text -> text.endsWith("begins"))
        .anyMatch(text -> text.endsWith("this run did not start it and waits for it"));
  }

  @Test
  void a_given_key_that_has_a_run_gets_its_result() {
    Flow<Order, Receipt> child = register(child());
    hapax.start(child, order("A-1"), "mine").await();
    Flow<Order, Receipt> parent = register(parentOf(child, "mine"));

    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));

    assertThat(run.await().key()).isEqualTo(hapax.id("child", "mine"));
    assertThat(calls).hasValue(1);
    assertThat(hapax.runs(hapax.runs().childrenOf(hapax.run(run.id())))).isEmpty();
  }

  @Test
  void a_key_that_belongs_to_another_input_fails_the_step() {
    Flow<Order, Receipt> child = register(child());
    hapax.start(child, order("other"), "mine").await();
    Flow<Order, Receipt> parent = register(parentOf(child, "mine"));

    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));

    assertFails(run, "key-reused").hasMessageContaining(hapax.id("child", "mine"));
  }

  @Test
  void a_flow_that_returns_the_first_run_does_so_for_a_call() {
    Flow<Order, Receipt> child =
        register(
            orders("child")
                .conflict(Flow.Conflict.RETURN)
                .body((_, order) -> new Receipt(order.id(), "total " + order.total())));
    hapax.start(child, new Order("A-1", 1)).await();
    Flow<Order, Receipt> parent = register(parentOf(child));

    assertThat(hapax.start(parent, new Order("A-1", 2)).await().key()).isEqualTo("total 1");
  }

  @Test
  void a_key_that_the_flow_computes_otherwise_fails_the_step() {
    Flow<Order, Receipt> child = register(orders("child").body((_, _) -> null));
    Flow<Order, Receipt> parent = register(parentOf(child, "other"));

    assertFails(hapax.start(parent, order("A-1")), "key-mismatch");
  }

  @Test
  void a_child_that_failed_fails_the_step_with_its_code_and_its_name() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    fails.set(true);

    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));

    assertFails(run, "step-failed")
        .hasMessageContaining(hapax.id("child", run.id() + "/child"))
        .hasMessageContaining("no luck");
    assertThat(error(run.id()).step()).isEqualTo("child");
  }

  @Test
  void a_body_may_catch_the_failure_of_its_child_and_go_another_way() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent =
        register(
            orders("parent")
                .body(
                    (run, order) -> {
                      try {
                        return run.call("child", child, order);
                      } catch (StepFailed e) {
                        run.sleep("pause", Duration.ofMinutes(1));
                        return new Receipt(order.id(), "without");
                      }
                    }));
    fails.set(true);
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    eventually(() -> types(run).contains("wait"));

    moveAndAwait(Duration.ofMinutes(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(run.await().key()).isEqualTo("without");
  }

  @Test
  void a_retry_of_the_parent_lets_the_failed_child_go_on() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    fails.set(true);
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitFailure(run);
    fails.set(false);

    hapax.retry(run.id(), "ann");

    assertThat(run.await().order()).isEqualTo("A-1");
    assertThat(calls).hasValue(2);
    assertThat(entry(run, "call-retried").decision()).endsWith("continues");
    HistoryEntry retried =
        hapax.history(childOf(run).id().toString()).stream()
            .filter(line -> line.type().equals("retried"))
            .findFirst()
            .orElseThrow();
    assertThat(retried.decision()).isEqualTo("by run " + run.id());
  }

  @Test
  void a_retry_of_the_parent_reaches_what_failed_below_its_child() {
    Flow<Order, Receipt> lowest = register(child());
    Flow<Order, Receipt> middle =
        register(orders("middle").body((run, order) -> run.call("below", lowest, order)));
    Flow<Order, Receipt> top =
        register(orders("top").body((run, order) -> run.call("below", middle, order)));
    fails.set(true);
    RunHandle<Receipt> run = hapax.start(top, order("A-1"));
    awaitFailure(run);
    fails.set(false);

    hapax.retry(run.id(), "ann");

    assertThat(run.await().order()).isEqualTo("A-1");
    assertThat(calls).hasValue(2);
  }

  @Test
  void a_child_that_was_retried_by_hand_and_succeeded_is_taken() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    fails.set(true);
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitFailure(run);
    fails.set(false);
    String childId = childOf(run).id().toString();
    hapax.retry(childId, "ann");
    eventually(() -> hapax.run(childId).status() == RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.FAILED);

    hapax.retry(run.id(), "ann");

    assertThat(run.await().order()).isEqualTo("A-1");
    assertThat(calls).hasValue(2);
  }

  @Test
  void a_corrected_input_reaches_the_failed_child() {
    Flow<Order, Receipt> child =
        register(
            Flow.of("child", Order.class, Receipt.class)
                .body(
                    (run, order) ->
                        run.step(
                            "work",
                            () -> {
                              if (order.total() < 0) {
                                throw new IllegalStateException("less than nothing");
                              }
                              return new Receipt(order.id(), "total " + order.total());
                            },
                            Receipt.class)));
    Flow<Order, Receipt> parent = register(parentOf(child));
    RunHandle<Receipt> run = hapax.start(parent, new Order("A-1", -1));
    awaitFailure(run);

    hapax.retry(run.id(), "ann", parent, new Order("A-1", 7));

    assertThat(run.await().key()).isEqualTo("total 7");
    assertThat(childOf(run).fingerprints()).hasSize(2);
  }

  @Test
  void a_corrected_input_leaves_the_child_that_succeeded() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent =
        register(
            orders("parent")
                .body(
                    (run, order) -> {
                      Receipt receipt = run.call("child", child, order);
                      return run.step(
                          "check",
                          () -> {
                            if (order.total() < 0) {
                              throw new IllegalStateException("less than nothing");
                            }
                            return receipt;
                          },
                          Receipt.class);
                    }));
    RunHandle<Receipt> run = hapax.start(parent, new Order("A-1", -1));
    awaitFailure(run);

    hapax.retry(run.id(), "ann", parent, new Order("A-1", 7));

    assertThat(run.await().order()).isEqualTo("A-1");
    assertThat(calls).hasValue(1);
    assertThat(hapax.history(run.id()))
        .anyMatch(
            line -> String.valueOf(line.decision()).endsWith("it was started with another input"));
  }

  @Test
  void a_failed_call_that_was_done_by_hand_is_settled() {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    fails.set(true);
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitFailure(run);

    hapax.settleStep(run.id(), "child", null, new Receipt("A-1", "by hand"), "did it", "ann");

    assertThat(run.await().key()).isEqualTo("by hand");
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_parent_waits_for_a_child_whose_code_is_not_here() {
    Flow<Order, Receipt> child = child();
    Flow<Order, Receipt> parent = register(parentOf(child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    awaitReleased(run);
    assertThat(childOf(run).status()).isEqualTo(RunStatus.QUEUED);

    register(child);

    assertThat(run.await().order()).isEqualTo("A-1");
  }

  @Test
  void an_output_that_is_of_another_type_fails_the_step() {
    Flow<Order, String> child =
        register(Flow.of("child", Order.class, String.class).body((_, _) -> "text"));
    hapax.start(child, order("A-1"), "mine").await();
    Flow<Order, Receipt> same = Flow.of("child", Order.class, Receipt.class).body((_, _) -> null);
    Flow<Order, Receipt> parent = register(parentOf(same, "mine"));

    assertFails(hapax.start(parent, order("A-1")), "not-serializable");
  }

  @Test
  void a_child_without_output_gives_null() {
    Flow<Order, Receipt> child =
        register(Flow.of("child", Order.class, Receipt.class).body((_, _) -> null));
    Flow<Order, String> parent =
        register(
            Flow.of("parent", Order.class, String.class)
                .body((run, order) -> "got " + run.call("child", child, order)));

    assertThat(hapax.start(parent, order("A-1")).await()).isEqualTo("got null");
  }

  @Test
  void a_child_stays_on_the_release_that_the_first_call_passed() {
    Flow<Order, Receipt> first =
        register(
            Flow.of("child", Order.class, Receipt.class)
                .body(
                    (run, order) -> {
                      run.sleep("pause", Duration.ofHours(1));
                      return new Receipt(order.id(), "release 1");
                    }));
    Flow<Order, Receipt> parent = register(parentOf(first));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitReleased(run);
    eventually(() -> childOf(run).status() == RunStatus.WAITING);
    Flow<Order, Receipt> second =
        Flow.of("child", Order.class, Receipt.class)
            .release(2)
            .body((_, order) -> new Receipt(order.id(), "release 2"));
    crash(first, second, parentOf(second));

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("release 1");
    assertThat(childOf(run).release()).isEqualTo(1);
  }

  @Test
  void a_step_that_called_another_flow_does_not_belong_to_this_code() {
    Flow<Order, Receipt> child = child();
    Flow<Order, Receipt> parent = register(parentOf(child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    Flow<Order, Receipt> other = orders("other").body((_, _) -> null);
    crash(parentOf(other));

    register(child);

    awaitStatus(run, RunStatus.FAILED);
    assertThat(error(run.id()).code()).isEqualTo("journal-mismatch");
    assertThat(error(run.id()).message())
        .contains("a call of flow 'child', but now it calls 'other'");
  }

  @Test
  void a_spawned_run_is_not_waited_for() {
    Flow<Order, Receipt> slow = register(sleeping(Duration.ofDays(1)));
    Flow<Order, String> parent =
        register(
            Flow.of("parent", Order.class, String.class)
                .key(Order::id)
                .body((run, order) -> run.spawn("mail", slow, order)));

    RunHandle<String> run = hapax.start(parent, order("A-1"));

    assertThat(run.await()).isEqualTo(hapax.id("sleeper", "A-1"));
    assertThat(childOf(run).id().toString()).isEqualTo(run.await());
    assertThat(entry(run, "spawned-run").decision())
        .endsWith("begins; this run does not wait for it");
    assertThat(hapax.run(run.await()).status().isEnd()).isFalse();
  }

  @Test
  void a_spawn_under_a_key_whose_run_is_not_kept_any_more_fails_the_step() {
    Flow<Order, Receipt> child = register(child());
    hapax.start(child, order("A"), "mine").await();
    Flow<Order, String> parent =
        register(
            Flow.of("parent", Order.class, String.class)
                .body((run, order) -> run.spawn("mail", child, "mine", order)));
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() == 1);

    RunHandle<String> run = hapax.start(parent, order("A"));
    awaitStatus(run, RunStatus.FAILED);

    assertThat(errorOf(run).code()).isEqualTo("key-expired");
    assertThat(entry(run, "spawned-run").decision()).isEqualTo("key-expired");
  }

  @Test
  void a_spawn_under_a_key_of_another_input_fails_the_step() {
    Flow<Order, Receipt> child = register(child());
    hapax.start(child, order("other"), "mine").await();
    Flow<Order, String> parent =
        register(
            Flow.of("parent", Order.class, String.class)
                .body((run, order) -> run.spawn("mail", child, "mine", order)));

    assertFails(hapax.start(parent, order("A-1")), "key-reused");
  }
}
