package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private static final double MIDDLE = 0.5;

  @ParameterizedTest
  @CsvSource({
    "1, PT1S",
    "2, PT2S",
    "3, PT4S",
    "4, PT8S",
    "9, PT4M16S",
    "10, PT5M",
    "1000000, PT5M"
  })
  void the_delay_grows_by_the_factor_up_to_its_maximum(int attempt, Duration delay) {
    assertThat(RetryPolicy.DEFAULT.delayAfter(attempt, MIDDLE)).isEqualTo(delay);
  }

  @Test
  void chance_spreads_the_delay_by_the_jitter_to_both_sides() {
    assertThat(RetryPolicy.DEFAULT.delayAfter(1, 0)).isEqualTo(Duration.ofMillis(800));
    assertThat(RetryPolicy.DEFAULT.delayAfter(1, 1)).isEqualTo(Duration.ofMillis(1200));
  }

  @Test
  void no_delay_stays_no_delay() {
    var policy = RetryPolicy.DEFAULT.delay(Duration.ZERO);

    assertThat(policy.delayAfter(1, MIDDLE)).isZero();
    assertThat(policy.delayAfter(100_000, MIDDLE)).isZero();
  }

  @Test
  void a_policy_that_makes_no_sense_is_refused_by_name() {
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.attempts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("retry.attempts: expected 1 or more, got 0");
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.delay(Duration.ofMillis(-1)))
        .hasMessageStartingWith("retry.delay:");
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.within(Duration.ofMillis(-1)))
        .hasMessageStartingWith("retry.within:");
    assertThatThrownBy(() -> policy(0.5, 0.2)).hasMessageStartingWith("retry.factor:");
    assertThatThrownBy(() -> policy(Double.NaN, 0.2)).hasMessageStartingWith("retry.factor:");
    assertThatThrownBy(() -> policy(2, 1.5)).hasMessageStartingWith("retry.jitter:");
  }

  private static RetryPolicy policy(double factor, double jitter) {
    return new RetryPolicy(
        5, Duration.ofSeconds(1), factor, Duration.ofMinutes(5), jitter, Duration.ofHours(1));
  }
}
