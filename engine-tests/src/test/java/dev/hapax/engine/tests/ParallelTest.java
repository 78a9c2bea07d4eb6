package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Parts of a body beside each other. */
class ParallelTest extends EngineTest {
  private final World world = new World();
  private final AtomicBoolean declines = new AtomicBoolean();

  /** Joins what its branches return. */
  private Flow<Order, Receipt> flow(List<RunContext.Branch<String>> branches) {
    return register(
        orders("parallel")
            .body(
                (run, order) -> new Receipt(order.id(), String.join(" ", run.parallel(branches)))));
  }

  private static RunContext.Branch<String> effect(
      String step, Effect<?> effect, RunContext.Sender<String> sender) {
    return run -> run.effect(step, effect, sender, String.class);
  }

  private RunContext.Branch<String> send(String step) {
    return effect(step, Effect.create(step).keyed(), _ -> world.apply(step));
  }

  private RunContext.Branch<String> sleep(String step) {
    return run -> {
      run.sleep(step + "-pause", Duration.ofDays(1));
      return run.effect(step, Effect.create(step).keyed(), _ -> world.apply(step), String.class);
    };
  }

  private String decline(String key) {
    if (declines.get()) {
      throw new Rejected("declined", "no");
    }
    return world.apply(key);
  }

  @Test
  void branches_run_at_the_same_time_and_their_results_come_in_order() {
    var firstSends = new CountDownLatch(1);
    var secondSends = new CountDownLatch(1);
    var flow =
        flow(
            List.of(
                effect(
                    "a",
                    Effect.create("a").keyed(),
                    _ -> {
                      firstSends.countDown();
                      secondSends.await();
                      return "a";
                    }),
                effect(
                    "b",
                    Effect.create("b").keyed(),
                    _ -> {
                      firstSends.await();
                      secondSends.countDown();
                      return "b";
                    })));

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("a b");
  }

  @Test
  void one_branch_waits_in_the_store_and_the_other_is_not_repeated() {
    var flow = flow(List.of(sleep("a"), send("b")));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    assertThat(world.arrivals()).containsExactly("b");
    crash(flow);

    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(world.arrivals()).containsExactly("b", "a");
  }

  @Test
  void a_branch_that_fails_does_not_stop_the_other_and_a_retry_touches_only_what_failed() {
    declines.set(true);
    var flow =
        flow(List.of(effect("a", Effect.create("a").keyed(), _ -> decline("a")), sleep("b")));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());
    assertFails(run, "declined");
    assertThat(world.arrivals()).containsExactly("b");

    declines.set(false);
    hapax.retry(run.id(), "ann");

    assertThat(run.await().key()).isEqualTo("applied-a applied-b");
    assertThat(world.arrivals()).containsExactly("b", "a");
  }

  @Test
  void a_process_that_dies_leaves_each_branch_where_it_was() {
    var flow =
        flow(
            List.of(
                send("a"), effect("b", Effect.create("b").upsert(), _ -> world.applyAndHang("b"))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 2 && types(run).contains("done"));
    crash();
    world.answerLate("b");
    hapax.register(flow);

    eventually(() -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(world.arrivals()).containsExactlyInAnyOrder("a", "b", "b");
  }

  @Test
  void a_review_is_shown_before_a_wait_and_settled_while_the_others_wait() {
    var flow = flow(List.of(unguarded(), sleep("b")));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);

    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.happened("by hand", "seen there", "ann"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(run.await().key()).isEqualTo("by hand applied-b");
  }

  private static RunContext.Branch<String> unguarded() {
    return effect(
        "a",
        Effect.notify("a").unguarded(),
        _ -> {
          throw new IOException("connection reset");
        });
  }

  private RunHandle<Receipt> inReviewBesideWork(CountDownLatch goOn) {
    var flow =
        flow(
            List.of(
                unguarded(),
                effect(
                    "b",
                    Effect.create("b").keyed(),
                    _ -> {
                      goOn.await();
                      return "b";
                    })));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> !hapax.effects(hapax.effects().state(EffectState.REVIEW)).isEmpty());
    return run;
  }

  @Test
  void a_review_is_settled_while_another_branch_is_at_work() {
    var goOn = new CountDownLatch(1);
    RunHandle<Receipt> run = inReviewBesideWork(goOn);
    assertThat(run.run().status()).isEqualTo(RunStatus.RUNNING);

    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.happened("by hand", "seen there", "ann"));
    goOn.countDown();

    assertThat(run.await().key()).isEqualTo("by hand b");
  }

  @Test
  void of_two_people_who_settle_a_review_while_another_branch_is_at_work_one_decides() {
    var goOn = new CountDownLatch(1);
    RunHandle<Receipt> run = inReviewBesideWork(goOn);
    String review = effect(EffectState.REVIEW).id();
    List<Thread> people =
        Stream.of("ann", "bob")
            .map(who -> Thread.ofVirtual().unstarted(() -> settle(review, who)))
            .toList();

    people.forEach(Thread::start);
    eventually(() -> people.stream().noneMatch(Thread::isAlive));
    goOn.countDown();

    assertThat(run.await().key()).isIn("of ann b", "of bob b");
    assertThat(types(run).stream().filter("settled"::equals)).hasSize(1);
  }

  /** Or hears that it was settled meanwhile. */
  private void settle(String review, String who) {
    try {
      hapax.settle(review, Settlement.happened("of " + who, "seen there", who));
    } catch (NotPossible e) {
      assertThat(e).hasMessageContaining("only one in review");
    }
  }

  @Test
  void a_cancel_lets_the_doubt_of_one_branch_settle_before_the_run_ends() {
    var flow =
        flow(
            List.of(
                sleep("a"),
                effect("b", Effect.create("b").keyed(), _ -> world.loseFirstAnswer("b"))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ann", "wrong order");
    moveUntil(Duration.ofMillis(20), () -> hapax.run(run.id()).status().isEnd());

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(world.arrivals()).containsExactly("b", "b");
    assertThat(effect(EffectState.DONE).key().key()).isEqualTo("b");
  }

  @Test
  void branches_lie_in_branches() {
    var flow =
        flow(
            List.of(
                run -> String.join("+", run.<String>parallel(List.of(sleep("a"), send("b")))),
                send("c")));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(run.await().key()).isEqualTo("applied-a+applied-b applied-c");
    assertThat(world.arrivals()).containsExactlyInAnyOrder("b", "c", "a");
  }

  @Test
  void a_step_name_occurs_once_in_all_branches() {
    var flow = flow(List.of(send("a"), send("a")));

    assertThatThrownBy(() -> hapax.start(flow, order("A")).await())
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("duplicate-step"));
  }

  @Test
  void the_body_s_own_context_is_refused_in_a_branch() {
    var flow =
        register(
            orders("wrong-context")
                .body(
                    (run, order) -> {
                      run.parallel(List.of(_ -> run.step("a", () -> 1, Integer.class)));
                      return new Receipt(order.id(), "");
                    }));

    assertThatThrownBy(() -> hapax.start(flow, order("A")).await())
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("used on another thread");
  }

  @Test
  void an_outcome_is_durable_before_a_branch_sends() {
    var flow =
        register(
            orders("before")
                .body(
                    (run, order) -> {
                      run.effect("first", create(order).keyed(), world::apply, String.class);
                      run.parallel(List.of(send("a"), send("b")));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    run.await();

    List<String> types = types(run);
    assertThat(types.indexOf("done")).isLessThan(types.lastIndexOf("intent"));
  }

  @Test
  void branches_that_want_the_same_effect_send_it_once() {
    var flow =
        register(
            orders("twice")
                .body(
                    (run, order) -> {
                      List<String> both =
                          run.parallel(
                              List.of(
                                  one -> run(one, "first", order.id()),
                                  two -> run(two, "second", order.id())));
                      return new Receipt(order.id(), both.getFirst() + both.getLast());
                    }));

    Receipt receipt = hapax.start(flow, order("A")).await();

    assertThat(receipt.key()).isEqualTo("applied-Aapplied-A");
    assertThat(world.arrivals()).containsExactly("A");
  }

  private String run(RunContext run, String step, String key) {
    return run.effect(
        step,
        Effect.create(key).request(key).keyed().name("charge"),
        (_, request) -> world.apply(request),
        String.class);
  }
}
