package dev.hapax.app.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that a developer moves is ahead by the same time after a restart. */
class DevClockTest {
  private final ManualTime time = new ManualTime();

  @TempDir private Path folder;

  @Test
  void a_move_is_told_added_and_kept() throws IOException {
    var told = new AtomicInteger();
    Instant before = time.now();
    DevClock clock = DevClock.open(time, folder.resolve("clock"));
    clock.whenMoved(told::incrementAndGet);

    clock.move(Duration.ofDays(3));
    clock.move(Duration.ofHours(1));

    assertThat(clock.now()).isEqualTo(before.plus(Duration.ofHours(73)));
    assertThat(told).hasValue(2);
    assertThat(DevClock.open(time, folder.resolve("clock")).ahead())
        .isEqualTo(Duration.ofHours(73));
  }

  @Test
  void a_move_back_or_beyond_all_calendars_moves_nothing() throws IOException {
    DevClock clock = DevClock.open(time, folder.resolve("clock"));

    assertThatThrownBy(() -> clock.move(Duration.ofDays(-1))).hasMessageContaining("clock: ");
    assertThatThrownBy(() -> clock.move(Duration.ofDays(40_000))).hasMessageContaining("clock: ");

    assertThat(clock.now()).isEqualTo(time.now());
    assertThat(folder.resolve("clock")).doesNotExist();
  }

  @Test
  void a_file_that_is_no_duration_is_refused_with_its_name() throws IOException {
    Path file = Files.writeString(folder.resolve("clock"), "yesterday");

    assertThatThrownBy(() -> DevClock.open(time, file))
        .hasMessageContaining("clock: expected how far the clock is ahead")
        .hasMessageContaining("--fresh");
  }
}
