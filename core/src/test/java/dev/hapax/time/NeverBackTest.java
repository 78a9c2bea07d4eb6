package dev.hapax.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NeverBackTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /** Clocks that a test sets by hand. */
  private static final class Hands implements Clock {
    private Instant wall = NOON;
    private long nanos;

    @Override
    public Instant now() {
      return wall;
    }

    @Override
    public long nanos() {
      return nanos;
    }
  }

  private final Hands hands = new Hands();

  @Test
  void it_is_not_before_the_newest_time_in_the_store() {
    var clock = new NeverBack(hands, NOON.plusSeconds(60));

    assertThat(clock.now()).isEqualTo(NOON.plusSeconds(60));
  }

  /**
   * Seed 37628 of the simulation: the time that a process was down was lost in the same instant.
   */
  @Test
  void what_the_wall_said_at_the_start_is_not_forgotten_when_it_is_set_back_at_once() {
    var clock = new NeverBack(hands, NOON.minus(Duration.ofHours(1)));

    hands.wall = NOON.minus(Duration.ofDays(4));

    assertThat(clock.now()).isEqualTo(NOON);
  }

  @Test
  void after_a_jump_back_it_goes_on_with_the_monotonic_clock() {
    var clock = new NeverBack(hands, Instant.EPOCH);
    hands.wall = NOON.minus(Duration.ofDays(1));

    hands.nanos = Duration.ofMinutes(5).toNanos();

    assertThat(clock.now()).isEqualTo(NOON.plus(Duration.ofMinutes(5)));
  }
}
