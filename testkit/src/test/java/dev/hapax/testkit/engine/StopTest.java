package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.engine.RunControl;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.run.EffectState;
import dev.hapax.run.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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
    assertThatThrownBy(() -> hapax.cancel(run.id(), "ada", null))
        .isInstanceOf(RunControl.NotPossible.class);
  }

  @Test
  void a_run_that_waits_too_long_fails_with_timeout_and_a_retry_gives_it_its_time_again() {
    var flow = register(sleeper());
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    time.move(Duration.ofDays(7));

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
    var flow =
        register(
            orders("two-steps")
                .body(
                    (run, order) -> {
                      run.effect(
                          "charge",
                          create(order).keyed(),
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
                      return new Receipt(order.id(), "");
                    }));
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
            orders("doubtful")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "charge",
                                create(order).keyed(),
                                key -> {
                                  if (calls.incrementAndGet() == 1) {
                                    throw new IOException("reset");
                                  }
                                  return world.apply(key);
                                },
                                String.class))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ada", null);
    eventually(() -> hapax.run(run.id()).status() == RunStatus.CANCELING);
    time.move(Duration.ofMinutes(1));

    eventually(() -> hapax.run(run.id()).status().isEnd());
    assertThat(calls).hasValue(2);
    assertThat(effect(EffectState.DONE).attempts()).isEqualTo(2);
  }

  @Test
  void an_effect_that_only_backs_off_is_failed_at_once() {
    var flow =
        register(
            orders("busy")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "charge",
                                create(order).keyed(),
                                _ -> {
                                  throw new NotApplied("429");
                                },
                                String.class))));
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

  @Test
  void a_body_that_blocks_for_ever_is_ended_at_its_timeout_and_its_thread_writes_nothing_more() {
    var never = new CountDownLatch(1);
    var blocked = new AtomicInteger();
    var flow =
        register(
            orders("stuck")
                .timeout(Duration.ofMinutes(1))
                .body(
                    (run, order) -> {
                      run.step("begin", () -> "begun", String.class);
                      blocked.incrementAndGet();
                      while (true) {
                        try {
                          never.await();
                          break;
                        } catch (InterruptedException e) {
                          // as a body does that does not listen
                        }
                      }
                      run.effect(
                          "charge",
                          create(order).keyed(),
                          key -> {
                            world.apply(key);
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> blocked.get() == 1);

    time.move(Duration.ofMinutes(1));
    eventually(
        () -> {
          time.move(Duration.ofSeconds(1));
          return hapax.run(run.id()).status() == RunStatus.FAILED;
        });
    never.countDown();

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("timeout"));
    assertThat(world.count()).isZero();
  }

  @Test
  void closing_writes_runs_out_at_their_next_step_so_that_nothing_is_left_in_doubt() {
    openPatiently();
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var flow =
        register(
            orders("two-steps")
                .body(
                    (run, order) -> {
                      run.effect(
                          "charge",
                          create(order).unguarded(),
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
                    }));
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
}
