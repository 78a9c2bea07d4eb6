package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Retry policies at their extremes: no pause, the longest limit, and nothing that piles up
 * meanwhile.
 */
class RetryTest extends EngineTest {
  private final AtomicInteger calls = new AtomicInteger();

  private String applyAtCall(int number) throws NotApplied {
    if (calls.incrementAndGet() < number) {
      throw new NotApplied("429");
    }
    return "applied";
  }

  @Test
  void thousands_of_attempts_without_a_pause_come_to_their_end() {
    var policy = retries(30_000).delay(Duration.ZERO);
    var flow =
        register(
            charging("busy", Effect.create("A").keyed().retry(policy), _ -> applyAtCall(25_000)));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(25_000);
  }

  @Test
  void the_longest_limit_in_time_retries_and_a_longer_one_is_refused() {
    var policy = RetryPolicy.DEFAULT.within(Duration.ofDays(36_500));
    var flow =
        register(
            charging("patient", Effect.create("A").keyed().retry(policy), _ -> applyAtCall(2)));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(2);
    assertThatThrownBy(() -> policy.within(ChronoUnit.FOREVER.getDuration()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retry.within: expected 0 to 36500 days");
  }

  @Test
  void attempts_that_are_over_do_not_stay_in_memory_while_their_run_backs_off() {
    var held = new ConcurrentLinkedQueue<WeakReference<Object>>();
    var flow =
        register(
            orders("busy")
                .body(
                    (run, order) -> {
                      var payload = new Object();
                      held.add(new WeakReference<>(payload));
                      run.effect(
                          "charge",
                          create(order).keyed(),
                          _ -> {
                            Objects.requireNonNull(payload); // an attempt holds its sender
                            throw new NotApplied("429");
                          });
                      return new Receipt(order.id(), "");
                    }));

    for (int i = 0; i < 100; i++) {
      awaitStatus(hapax.start(flow, order("A" + i)), RunStatus.WAITING);
    }

    assertThat(held).hasSize(100);
    eventually(
        () -> {
          System.gc();
          return held.stream().allMatch(reference -> reference.refersTo(null));
        });
  }
}
