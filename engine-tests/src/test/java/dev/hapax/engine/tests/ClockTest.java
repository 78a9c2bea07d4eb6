package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Wall clocks that jump: waits go by the time that has passed, and none is forgotten. */
class ClockTest extends EngineTest {

  @Test
  void a_clock_that_was_wrong_and_is_set_right_does_not_stop_the_waits() {
    var flow = register(sleeping(Duration.ofMinutes(1)));
    Instant right = time.now();
    time.jumpTo(right.plus(Duration.ofDays(365)));
    hapax.start(flow, order("A"));
    time.jumpTo(right);
    RunHandle<Receipt> run = hapax.start(flow, order("B"));
    awaitStatus(run, RunStatus.WAITING);

    moveSteps(48, Duration.ofHours(1));

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
  }
}
