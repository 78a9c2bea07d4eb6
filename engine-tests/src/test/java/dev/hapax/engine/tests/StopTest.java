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
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Cancel and timeout: what is in flight or in doubt settles first, nothing new begins. */
class StopTest extends EngineTest {
  private final World world = new World();

  private Flow<Order, Receipt> sleeper() {
    return orders("sleeper")
        .timeout(Duration.ofDays(7))
        .body(
            (run, order) -> {
              run.sleep("pause", Duration.ofDays(30));
              return new Receipt(
                  order.id(),
                  run.effect("charge", create(order).keyed(), world::apply, String.class));
            });
  }

  @Test
  void a_waiting_run_is_canceled_at_once() {
    var flow = register(sleeper());
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ada", "ordered by mistake");

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(entry(run, "cancel-requested").evidence()).isEqualTo("ordered by mistake");
    assertThat(world.count()).isZero();
    assertThatThrownBy(() -> hapax.cancel(run.id(), "ada", null)).isInstanceOf(NotPossible.class);
  }

  @Test
  void a_run_that_waits_too_long_fails_with_timeout_and_a_retry_gives_it_its_time_again() {
    var flow = register(sleeper());
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofDays(7), run);

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("timeout"));
    assertThat(types(run)).contains("timed-out");
    hapax.retry(run.id(), "ada");
    awaitStatus(run, RunStatus.WAITING);
  }

  @Test
  void an_attempt_in_flight_settles_before_the_run_is_canceled() {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var flow = register(twoSteps(Effect.Draft::keyed, inside, go));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> inside.getCount() == 0);

    hapax.cancel(run.id(), "ada", null);
    go.countDown();

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(world.count()).isEqualTo(1);
    assertThat(effect(EffectState.DONE).key().name()).isEqualTo("two-steps/charge");
  }

  @Test
  void a_doubt_settles_before_the_run_is_canceled() {
    var calls = new AtomicInteger();
    var flow =
        register(
            charging(
                "doubtful",
                order -> create(order).keyed(),
                key -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new IOException("reset");
                  }
                  return world.apply(key);
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ada", null);
    eventually(() -> hapax.run(run.id()).status() == RunStatus.CANCELING);
    moveAndAwait(Duration.ofMinutes(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(calls).hasValue(2);
    assertThat(effect(EffectState.DONE).attempts()).isEqualTo(2);
  }

  @Test
  void an_effect_that_only_backs_off_is_failed_at_once() {
    var flow =
        register(
            charging(
                "busy",
                order -> create(order).keyed(),
                _ -> {
                  throw new NotApplied("429");
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ada", null);

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(effect(EffectState.FAILED).attempts()).isEqualTo(1);
  }

  @Test
  void a_review_stays_before_its_person_when_the_run_is_canceled() {
    var flow =
        register(
            orders("mailer")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "mail",
                                Effect.notify(order.id()).unguarded(),
                                _ -> {
                                  throw new IOException("reset");
                                },
                                String.class))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);

    hapax.cancel(run.id(), "ada", null);
    awaitStatus(run, RunStatus.CANCELING);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "it is there", "ada"));

    eventually(() -> hapax.run(run.id()).status() == RunStatus.CANCELED);
  }

  /**
   * Seed 2300 of the simulation: such a run was woken for ever, with an empty journal row a round.
   */
  @Test
  void a_canceled_run_in_review_sleeps_also_when_its_time_is_over() {
    var flow = register(mailer(Duration.ofDays(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    hapax.cancel(run.id(), "ada", null);
    awaitStatus(run, RunStatus.CANCELING);

    time.move(Duration.ofDays(2));

    eventually(
        () -> {
          Run seen = hapax.run(run.id());
          return seen.owner() == null && seen.dueAt() == null;
        });
    assertThatThrownBy(hapax.handle(run.id(), Receipt.class)::await)
        .isInstanceOf(RunInReview.class);
  }

  @Test
  void closing_writes_runs_out_at_their_next_step_so_that_nothing_is_left_in_doubt() {
    openPatiently();
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var flow = register(twoSteps(Effect.Draft::unguarded, inside, go));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> inside.getCount() == 0);
    Thread closer = Thread.startVirtualThread(hapax::close);
    eventually(() -> closer.getState() == Thread.State.WAITING);
    go.countDown();
    eventually(() -> !closer.isAlive());
    assertThat(world.count()).isEqualTo(1);

    reopen(flow);

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("both");
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_second_retry_gives_the_whole_time_and_no_more() {
    var flow =
        register(
            orders("failing")
                .timeout(Duration.ofDays(1))
                .body(
                    (_, _) -> {
                      throw new IllegalStateException("no");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);
    time.move(Duration.ofDays(10));

    for (int i = 0; i < 2; i++) {
      hapax.retry(run.id(), "ada");
      awaitStatus(run, RunStatus.FAILED);
    }

    assertThat(hapax.run(run.id()).timeoutAt()).isEqualTo(time.now().plus(Duration.ofDays(1)));
  }

  @Test
  void a_canceled_run_does_not_end_while_it_owns_an_effect_that_its_code_no_longer_knows() {
    var before = register(charging("forgetful", Effect.create("A").keyed(), world::applyAndHang));
    RunHandle<Receipt> run = hapax.start(before, order("A"));
    eventually(() -> world.count() == 1);
    crash();

    hapax.cancel(run.id(), "ada", null);
    register(orders("forgetful").body((_, order) -> new Receipt(order.id(), "")));

    // The run is free and canceling already before the code that is registered now takes it up.
    eventually(() -> !hapax.effects(hapax.effects().state(EffectState.REVIEW)).isEmpty());
    // It may be taken up once more for the cancel, and is released again.
    eventually(() -> awaitReleased(run).status() == RunStatus.CANCELING);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("ended without it");
  }

  @Test
  void a_run_whose_time_is_over_does_not_wait_for_its_next_read() {
    var inside = new CountDownLatch(1);
    var flow =
        register(
            orders("reader")
                .timeout(Duration.ofMinutes(1))
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.read(
                                "look",
                                RetryPolicy.DEFAULT.delay(Duration.ofMinutes(5)),
                                () -> {
                                  inside.countDown();
                                  new CountDownLatch(1).await();
                                  return "never";
                                },
                                String.class))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> inside.getCount() == 0);

    time.move(Duration.ofMinutes(1));

    moveUntil(
        Duration.ofMillis(10),
        Duration.ofMinutes(4),
        () -> hapax.run(run.id()).status() == RunStatus.FAILED);
  }

  @Test
  void a_run_whose_time_is_over_as_it_begins_to_wait_for_another_run_fails_with_timeout() {
    var owner =
        register(
            charging(
                "owner",
                Effect.create("A").unguarded().name("charge"),
                _ -> {
                  throw new IOException("reset");
                }));
    var waiter =
        register(
            orders("waiter")
                .timeout(Duration.ofMinutes(1))
                .body(
                    (run, order) -> {
                      run.step("begin", () -> "begun", String.class);
                      var effect = create(order).unguarded().name("charge");
                      return new Receipt(
                          order.id(), run.effect("charge", effect, world::apply, String.class));
                    }));
    awaitStatus(hapax.start(owner, order("A")), RunStatus.REVIEW);
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "claimed")) {
            time.move(Duration.ofMinutes(1)); // its time is over while the claim is under way
            moveSteps(100, Duration.ofMillis(1)); // and the timer notices before it has landed
          }
        });

    RunHandle<Receipt> run = hapax.start(waiter, order("A"));
    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("timeout"));
    assertThat(world.count()).isZero();
  }

  @Test
  void a_cancel_that_the_store_knows_before_the_engine_does_ends_the_run_as_canceled() {
    var inBody = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var flow =
        register(
            orders("slow")
                .body(
                    (run, order) -> {
                      inBody.countDown();
                      awaitUninterruptibly(goOn);
                      return new Receipt(
                          order.id(),
                          run.effect("charge", create(order).keyed(), world::apply, String.class));
                    }));
    RunHandle<Receipt> run = startMovingTime(flow, order("A"));
    awaitUninterruptibly(inBody);
    var wish = new Change.RequestCancel(new Run.Cancel("ann", null));
    process.commit(
        new Batch(
            List.of(
                new Group(
                    1, time.now(), new Head.NotEnded(run.run().number()), List.of(wish), null))));

    goOn.countDown();

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    assertThat(world.count()).isZero();
  }

  /** Charges, which begins and waits until it may go on, and mails. */
  private Flow<Order, Receipt> twoSteps(
      Function<Effect.Draft<Void>, Effect<Void>> guard, CountDownLatch inside, CountDownLatch go) {
    return orders("two-steps")
        .body(
            (run, order) -> {
              run.effect(
                  "charge",
                  guard.apply(create(order)),
                  key -> {
                    inside.countDown();
                    go.await();
                    world.apply(key);
                  });
              run.effect(
                  "mail",
                  Effect.notify(order.id()).unguarded(),
                  key -> {
                    world.apply(key);
                  });
              return new Receipt(order.id(), "both");
            });
  }
}
