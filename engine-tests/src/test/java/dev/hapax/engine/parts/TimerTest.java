package dev.hapax.engine.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer and times that a store keeps less exactly than a clock shows them. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimerTest {
  private static final long LATE = 7;

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = new MemoryStore();

  @Test
  void a_run_that_is_noted_within_the_millisecond_that_was_looked_at_is_woken() throws Exception {
    long sleeper = sleeperOf(Duration.ofHours(1));
    time.move(Duration.ofHours(1));
    Instant now = time.now();
    var woken = new LinkedBlockingQueue<Long>();
    var timer =
        new Timer(
            store,
            time,
            time,
            woken::add,
            new ThreadGuard(
                time,
                broken -> {
                  throw broken;
                }));
    timer.start();
    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(sleeper);

    timer.noteDue(LATE, now.plusNanos(600_000)); // stored as now, and looked at before it was there

    assertThat(woken.poll()).isEqualTo(LATE);
    timer.close();
  }

  private long sleeperOf(Duration duration) {
    try (Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT.ports(time.ports()))) {
      Flow<String, String> nap =
          Flow.of("nap", String.class, String.class)
              .key(input -> input)
              .body(
                  (run, _) -> {
                    run.sleep("nap", duration);
                    return "rested";
                  });
      hapax.register(nap);
      String id = hapax.start(nap, "N-1").id();
      while (hapax.run(id).status() != RunStatus.WAITING) {
        Thread.onSpinWait();
      }
      return hapax.run(id).number();
    }
  }
}
