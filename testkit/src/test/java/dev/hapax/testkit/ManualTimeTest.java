package dev.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage may move time only when no thread is at work, so the count must be exact. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManualTimeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();

  @Test
  void it_is_idle_while_every_thread_waits_and_when_all_have_ended() {
    Signal never = time.signal();
    time.virtual("waits", () -> never.await(HOUR));

    assertThat(time.awaitIdle(PATIENCE)).isTrue();
    assertThat(time.untilNextLimit()).isEqualTo(HOUR);

    time.move(HOUR);

    assertThat(time.awaitIdle(PATIENCE)).isTrue();
    assertThat(time.untilNextLimit()).isNull();
  }

  @Test
  void a_thread_is_at_work_from_the_moment_at_which_its_wait_is_over() throws Exception {
    Signal signal = time.signal();
    var goOn = new CountDownLatch(1);
    time.platform(
        "works",
        () -> {
          signal.await();
          await(goOn);
        });
    assertThat(time.awaitIdle(PATIENCE)).isTrue();

    signal.raise();

    assertThat(time.isIdle()).isFalse();
    assertThat(time.awaitIdle(Duration.ofMillis(5))).isFalse();
    goOn.countDown();
    assertThat(time.awaitIdle(PATIENCE)).isTrue();
  }

  @Test
  void an_interrupt_ends_only_a_wait_that_may_be_interrupted() {
    var ended = new AtomicReference<String>("");
    Signal signal = time.signal();
    var patient = time.virtual("patient", () -> ended.set("patient " + signal.await(HOUR)));
    var other = new AtomicReference<String>("");
    var impatient =
        time.virtual(
            "impatient",
            () -> {
              try {
                time.signal().awaitInterruptibly(null);
              } catch (InterruptedException e) {
                other.set("interrupted");
              }
            });
    assertThat(time.awaitIdle(PATIENCE)).isTrue();

    patient.interrupt();
    impatient.interrupt();

    assertThat(time.awaitIdle(PATIENCE)).isTrue();
    assertThat(other.get()).isEqualTo("interrupted");
    assertThat(ended.get()).isEmpty();
    signal.raise();
    assertThat(time.awaitIdle(PATIENCE)).isTrue();
    assertThat(ended.get()).isEqualTo("patient true");
  }

  @Test
  void a_thread_from_outside_that_waits_here_is_not_counted() {
    Signal signal = time.signal();
    time.virtual("raises", signal::raise);

    signal.await();

    assertThat(time.awaitIdle(PATIENCE)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
