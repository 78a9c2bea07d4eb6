package dev.hapax.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a lookup has to wait until "not found" counts. */
class OpenAttemptsTest {
  private static final long EFFECT = 1;
  private static final Duration SETTLE = Duration.ofSeconds(40);

  private final ManualTime time = new ManualTime();
  private final OpenAttempts attempts = new OpenAttempts(time.ports(), 1);

  @Test
  void the_time_counts_from_the_first_question() {
    attempts.restOf(EFFECT, 1, 1, SETTLE);
    time.move(Duration.ofSeconds(30));

    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void each_failover_starts_the_time_again_once() {
    attempts.restOf(EFFECT, 1, 1, SETTLE);
    time.move(SETTLE);

    attempts.mayHaveBeenSentAgain(EFFECT, 1);
    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isEqualTo(SETTLE);
    time.move(SETTLE);
    attempts.mayHaveBeenSentAgain(EFFECT, 1);
    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isZero();
    attempts.mayHaveBeenSentAgain(EFFECT, 2);

    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isEqualTo(SETTLE);
  }

  @Test
  void the_time_starts_again_for_an_attempt_that_another_process_made_since() {
    attempts.restOf(EFFECT, 1, 1, SETTLE);
    time.move(SETTLE);

    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isZero();
    assertThat(attempts.restOf(EFFECT, 1, 2, SETTLE)).isEqualTo(SETTLE);
    time.move(SETTLE);
    assertThat(attempts.restOf(EFFECT, 1, 2, SETTLE)).isZero();
    assertThat(attempts.restOf(EFFECT, 2, 2, SETTLE)).isEqualTo(SETTLE);
  }

  @Test
  void an_attempt_of_this_process_says_nothing_about_a_later_one_of_another() {
    attempts.start(EFFECT, 1, 1, "send", () -> new AnswerMeaning.Ambiguous("reset")).await(SETTLE);
    time.move(SETTLE);

    assertThat(attempts.restOf(EFFECT, 1, 1, SETTLE)).isZero();
    assertThat(attempts.restOf(EFFECT, 1, 2, SETTLE)).isEqualTo(SETTLE);
    assertThat(attempts.restOf(EFFECT, 2, 1, SETTLE)).isEqualTo(SETTLE);
  }
}
