package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Messages and reasons that no store takes as they are: their run goes on, and so do all others.
 */
class HostileTextTest extends EngineTest {
  private static final String LONE_SURROGATE = "bad \uD800";

  private final World world = new World();

  @Test
  void an_exception_whose_message_cannot_be_stored_fails_its_run() {
    var flow =
        register(
            orders("thrower")
                .body(
                    (_, _) -> {
                      throw new IllegalStateException(LONE_SURROGATE);
                    }));

    RunHandle<Receipt> run = startMovingTime(flow, order("A"));

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("error"));
  }

  @Test
  void a_senders_message_that_cannot_be_stored_puts_its_effect_in_review() {
    var flow =
        register(
            charging(
                "mailer",
                Effect.notify("A").unguarded(),
                _ -> {
                  throw new IOException(LONE_SURROGATE);
                }));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    moveUntil(
        Duration.ofMillis(10),
        Duration.ofMinutes(2),
        () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
  }

  @Test
  void an_outcome_that_cannot_be_stored_does_not_stop_the_timer_of_all() {
    var caught = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var bad =
        register(
            orders("bad")
                .body(
                    (run, order) -> {
                      try {
                        run.effect(
                            "charge",
                            create(order).keyed(),
                            _ -> {
                              throw new Rejected("no", LONE_SURROGATE);
                            });
                      } catch (StepFailed e) {
                        caught.countDown();
                        go.await(); // so that the outcome lingers until the timer flushes it
                      }
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> sleeper = hapax.start(register(sleeping(Duration.ofHours(1))), order("S"));
    awaitStatus(sleeper, RunStatus.WAITING);
    hapax.start(bad, order("A"));
    eventually(() -> caught.getCount() == 0);

    moveSteps(50, Duration.ofMillis(20));
    time.move(Duration.ofHours(1));

    moveUntil(Duration.ofMinutes(5), () -> hapax.run(sleeper.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_cancel_reason_that_cannot_be_stored_is_refused() {
    RunHandle<Receipt> run = hapax.start(register(sleeping(Duration.ofHours(1))), order("A"));
    awaitStatus(run, RunStatus.WAITING);

    assertThatThrownBy(() -> hapax.cancel(run.id(), "ada", LONE_SURROGATE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lone surrogates");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void an_effect_whose_request_cannot_be_stored_is_the_same_on_replay() {
    var flow =
        register(
            orders("careful")
                .body(
                    (run, order) -> {
                      try {
                        run.effect(
                            "charge",
                            create(order).request(LONE_SURROGATE).keyed(),
                            (key, _) -> {
                              world.apply(key);
                            });
                      } catch (StepFailed e) {
                        // and goes on without it
                      }
                      run.sleep("pause", Duration.ofMinutes(1));
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofMinutes(1), run);

    assertThat(run.await().key()).isEqualTo("ok");
  }

  @Test
  void a_message_of_six_million_characters_does_not_make_the_journal_unreadable() {
    var flow =
        register(
            orders("talkative")
                .body(
                    (run, order) -> {
                      try {
                        run.step(
                            "talk",
                            () -> {
                              throw new IllegalStateException("x".repeat(6_000_000));
                            },
                            String.class);
                      } catch (StepFailed e) {
                        // and goes on without it
                      }
                      run.sleep("pause", Duration.ofMinutes(1));
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(run.await().key()).isEqualTo("ok");
  }
}
