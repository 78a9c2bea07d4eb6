package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A cancel is accepted elsewhere just before a commit of the run lands, and the engine that has the
 * run in memory has not heard of it.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
class AcceptedCancelTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger undone = new AtomicInteger();

  /** Just before the first commit with such a journal entry, another node accepts a cancel. */
  private void cancelBefore(String entry, boolean compensate) {
    var isAccepted = new AtomicBoolean();
    process.beforeCommit(
        batch -> {
          for (Group group : batch.groups()) {
            String entries = group.entries();
            if (entries != null
                && entries.contains("\"" + entry + "\"")
                && group.head() instanceof Head.Owned owned
                && !isAccepted.getAndSet(true)) {
              var wish = new Change.RequestCancel(new Run.Cancel("ada", "a mistake", compensate));
              var head = new Head.NotEnded(owned.run());
              process.commitOf(
                  new Batch(List.of(new Group(1, time.now(), head, List.of(wish), null))));
            }
          }
        });
  }

  private Effect<?> charge(Order order) {
    return create(order)
        .keyed()
        .compensate(
            Undo.keyed(
                _ -> {
                  undone.incrementAndGet();
                }));
  }

  private Flow<Order, Receipt> charging(String name) {
    return charging(name, order -> charge(order), world::apply);
  }

  private void assertCanceled(RunHandle<?> run) {
    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(errorOf(run).code()).isEqualTo("canceled");
    assertThat(types(run)).containsOnlyOnce("cancel-requested").containsOnlyOnce("ended");
  }

  @Test
  void a_run_that_is_about_to_succeed_is_canceled_and_what_it_has_done_stays_recorded() {
    var flow = register(charging("plain"));
    cancelBefore("ended", false);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertCanceled(run);
    assertThat(effect(EffectState.DONE).result()).isNotNull();
    assertThat(world.count()).isEqualTo(1);
    assertThat(entry(run, "refused").evidence()).contains("succeeded");
  }

  @Test
  void a_run_that_is_about_to_succeed_is_undone_if_the_cancel_says_so() {
    var flow = register(charging("undone"));
    cancelBefore("ended", true);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(types(run)).containsOnlyOnce("cancel-requested");
    assertThat(undone).hasValue(1);
  }

  @Test
  void a_run_that_is_about_to_end_as_partial_is_canceled() {
    Flow<Order, Receipt> flow =
        register(
            orders("partial")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "items",
                          Each.of(List.of("a", "b"), item -> item),
                          (each, item) -> {
                            each.effect(
                                "charge", Effect.create(item).keyed(), world::apply, String.class);
                            if (item.equals("b")) {
                              throw new IllegalStateException("a bad item");
                            }
                          });
                      return new Receipt(order.id(), "");
                    }));
    cancelBefore("ended", false);

    assertCanceled(hapax.start(flow, order("A")));
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_run_that_is_about_to_fail_is_canceled() {
    Flow<Order, Receipt> flow =
        register(
            orders("failing")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      throw new IllegalStateException("a bug");
                    }));
    cancelBefore("ended", false);

    assertCanceled(hapax.start(flow, order("A")));
  }

  @Test
  void a_run_that_has_begun_to_compensate_records_the_cancel_too() {
    Flow<Order, Receipt> flow =
        register(
            orders("compensating")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      throw new IllegalStateException("a bug");
                    }));
    cancelBefore("compensation-started", false);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(types(run)).containsOnlyOnce("cancel-requested");
    assertThat(undone).hasValue(1);
  }

  @Test
  void a_run_before_a_lock_is_canceled() {
    Flow<Order, Receipt> flow =
        register(
            orders("locking")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      return run.locked("stock", "stock", _ -> new Receipt(order.id(), ""));
                    }));
    cancelBefore("lock", false);

    assertCanceled(hapax.start(flow, order("A")));
    assertThat(hapax.locks()).isEmpty();
  }

  @Test
  void a_run_before_a_lock_in_a_branch_is_canceled() {
    Flow<Order, Receipt> flow =
        register(
            orders("branches")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      return run.<Receipt>parallel(
                              List.of(
                                  one ->
                                      one.locked(
                                          "stock", "stock", _ -> new Receipt(order.id(), "")),
                                  two -> {
                                    two.effect(
                                        "other",
                                        Effect.create("other").keyed(),
                                        world::apply,
                                        String.class);
                                    return new Receipt(order.id(), "");
                                  }))
                          .getFirst();
                    }));
    cancelBefore("lock", false);

    assertCanceled(hapax.start(flow, order("A")));
  }

  @Test
  void a_run_before_a_sleep_is_canceled() {
    Flow<Order, Receipt> flow =
        register(
            orders("sleeping")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      run.sleep("pause", Duration.ofDays(1));
                      return new Receipt(order.id(), "");
                    }));
    cancelBefore("wait", false);

    assertCanceled(hapax.start(flow, order("A")));
  }

  @Test
  void a_message_of_a_canceled_run_is_not_published() {
    Flow<Order, Receipt> flow =
        register(
            orders("publishing")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      run.publish("tell", Message.to("shop").type("order.paid").data(order));
                      return new Receipt(order.id(), "");
                    }));
    cancelBefore("published", false);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertCanceled(run);
    assertThat(types(run)).doesNotContain("published");
    assertThat(hapax.runs(hapax.runs())).hasSize(1);
  }

  @Test
  void a_run_that_a_canceled_run_would_start_does_not_begin() {
    Flow<Order, Receipt> child = register(charging("child"));
    Flow<Order, Receipt> flow =
        register(
            orders("spawning")
                .body(
                    (run, order) -> {
                      run.effect("charge", charge(order), world::apply, String.class);
                      run.spawn("tell", child, order("B"));
                      return new Receipt(order.id(), "");
                    }));
    cancelBefore("spawned-run", false);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertCanceled(run);
    assertThat(hapax.runs(hapax.runs())).hasSize(1);
  }

  @Test
  void a_cancel_whose_commit_is_unknown_is_accepted_though_the_run_has_ended_by_it() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    process.failNextCommit(new UnknownCommit("no answer", new Exception()), true);

    var asked = CompletableFuture.runAsync(() -> hapax.cancel(run.id(), "ada", "a mistake"));
    moveUntil(Duration.ofMillis(100), asked::isDone); // the committer waits before it tries again

    asked.join();
    assertCanceled(run);
  }

  @Test
  void a_cancel_that_comes_after_the_end_is_not_possible_and_leaves_no_trace() {
    var flow = register(charging("ended"));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThatThrownBy(() -> hapax.cancel(run.id(), "ada", "a mistake"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("succeeded");

    assertThat(types(run)).doesNotContain("cancel-requested");
    assertThat(hapax.run(run.id()).cancel()).isNull();
  }
}
