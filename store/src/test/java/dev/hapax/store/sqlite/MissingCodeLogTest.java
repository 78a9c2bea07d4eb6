package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Runs of a release that is not registered are reported in the log once, not once per run. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MissingCodeLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.hapax.engine.MissingCode");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final ManualTime time = new ManualTime();
  private final Flow<String, String> sleeper =
      Flow.of("sleeper", String.class, String.class)
          .key(order -> order)
          .body(
              (run, order) -> {
                run.sleep("pause", Duration.ofHours(1));
                return order;
              });
  @TempDir private Path folder;

  @BeforeEach
  void listen() {
    logger.setLevel(Level.WARN);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void the_log_warns_once_of_runs_whose_release_is_not_registered() {
    List<String> ids = new ArrayList<>();
    try (Hapax hapax = open()) {
      hapax.register(sleeper);
      for (int i = 0; i < 5; i++) {
        ids.add(hapax.start(sleeper, "A-" + i).id());
      }
      eventually(() -> ids.stream().allMatch(id -> hapax.run(id).owner() == null));
    }

    time.move(Duration.ofHours(1));
    try (Hapax hapax = open()) {
      eventually(() -> ids.stream().allMatch(id -> isReported(hapax, id)));
      assertThat(lines.list)
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage())
                    .startsWith("runs wait for the code of flow 'sleeper' release 1,")
                    .contains("which is not registered");
              });
      hapax.register(sleeper);
      eventually(() -> ids.stream().allMatch(id -> hapax.run(id).status() == RunStatus.SUCCEEDED));
      assertThat(lines.list).hasSize(1);
    }
  }

  private Hapax open() {
    return Hapax.open(folder.resolve("orders.db"), HapaxOptions.DEFAULT.ports(time.ports()));
  }

  private static boolean isReported(Hapax hapax, String id) {
    return hapax.history(id).stream().map(HistoryEntry::type).anyMatch("code-missing"::equals);
  }

  /** Time goes on while we look. */
  private void eventually(BooleanSupplier holds) {
    for (int looks = 1; !holds.getAsBoolean(); looks++) {
      if (looks % 10 == 0) {
        time.move(Duration.ofSeconds(1));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
