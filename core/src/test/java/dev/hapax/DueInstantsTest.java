package dev.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which instants wait behind one that waits for an earlier run. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class DueInstantsTest {
  private static final Instant FIRST = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final NextInstants HOURLY = NextInstants.every(HOUR, Instant.EPOCH);

  @Test
  void an_instant_that_comes_on_time_waits_too() {
    assertThat(lastQueued(hours(1).plusSeconds(5))).isEqualTo(hours(1));
  }

  @Test
  void an_instant_that_comes_after_a_gap_waits_with_those_of_the_gap() {
    DueInstants due = queued(hours(3).plusSeconds(5));

    assertThat(due.runs()).containsExactly(FIRST, hours(1), hours(3));
    assertThat(due.next()).isEqualTo(hours(4));
  }

  @Test
  void instants_of_a_gap_do_not_wait_before_another_one_comes() {
    assertThat(lastQueued(hours(2).plusSeconds(300))).isEqualTo(FIRST);
  }

  @Test
  void after_a_gap_of_very_many_instants_they_follow_the_catch_up_rule() {
    assertThat(lastQueued(hours(DueInstants.MOST).plusSeconds(5)))
        .isEqualTo(hours(DueInstants.MOST));
    assertThat(lastQueued(hours(DueInstants.MOST + 1).plusSeconds(5))).isEqualTo(FIRST);
  }

  private static Instant lastQueued(Instant now) {
    return queued(now).runs().getLast();
  }

  private static DueInstants queued(Instant now) {
    return DueInstants.queued(FIRST, FIRST, now, HOURLY);
  }

  private static Instant hours(int count) {
    return FIRST.plus(HOUR.multipliedBy(count));
  }
}
