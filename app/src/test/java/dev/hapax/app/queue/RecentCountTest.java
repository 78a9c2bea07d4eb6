package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rate of a queue is what came in the last minute. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class RecentCountTest {
  private final ManualTime time = new ManualTime();
  private final RecentCount count = new RecentCount(time);

  private void add(int times) {
    for (int i = 0; i < times; i++) {
      count.add();
    }
  }

  @Test
  void what_is_older_than_a_minute_is_not_counted() {
    add(3);
    time.move(Duration.ofSeconds(30));
    add(4);

    assertThat(count.lastMinute()).isEqualTo(7);
    time.move(Duration.ofSeconds(35));
    assertThat(count.lastMinute()).isEqualTo(4);
    time.move(Duration.ofSeconds(30));
    assertThat(count.lastMinute()).isZero();
  }

  @Test
  void a_long_silence_leaves_nothing_behind() {
    add(5);
    time.move(Duration.ofDays(3));
    add(1);

    assertThat(count.lastMinute()).isEqualTo(1);
  }
}
