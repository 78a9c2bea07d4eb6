package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryPage;
import dev.hapax.testkit.fault.ChildProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page of a history costs the memory of a page, however long the journal is. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("crash")
class LongHistoryTest {
  /** 96 MB of text, in a heap of 64 MB. A larger value would not be in the journal. */
  private static final int COPIES = 1_600;

  /** Each copy has the end of the step and of the run. */
  private static final int ENTRIES = 3 + 2 * COPIES;

  private static final HapaxOptions OPTIONS = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);

  @TempDir Path folder;

  /** Reads the first, a later and the last page of the history of the run in the file. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) {
      try (Hapax hapax = Hapax.open(Path.of(arguments[0]), OPTIONS)) {
        for (long after : new long[] {0, COPIES, ENTRIES - 10}) {
          HistoryPage page = hapax.history(arguments[1], after, 200);
          System.out.println(
              "from %d to %d, more: %s"
                  .formatted(
                      page.entries().getFirst().seq(),
                      page.entries().getLast().seq(),
                      page.hasMore()));
        }
        System.out.println("read");
      }
    }
  }

  @Test
  void a_history_longer_than_memory_is_read_page_by_page() throws Exception {
    Path file = folder.resolve("store.db");
    String run = longRun(file);

    try (var reader =
        ChildProcess.start(
            folder,
            Reader.class,
            List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"),
            List.of(file.toString(), run))) {
      reader.awaitLine("read"::equals, Duration.ofSeconds(90));
      List<String> pages = reader.lines();
      assertThat(pages.get(0)).matches("from 1 to \\d+, more: true");
      assertThat(pages.get(1)).matches("from %d to \\d+, more: true".formatted(COPIES + 1));
      assertThat(pages.get(2))
          .isEqualTo("from %d to %d, more: false".formatted(ENTRIES - 9, ENTRIES));
    }
  }

  /** A run with one large step, whose row in the journal is copied. */
  private static String longRun(Path file) throws SQLException {
    var flow =
        Flow.of("long", String.class, String.class)
            .key(id -> id)
            .body(
                (run, _) -> {
                  run.step("large", () -> "x".repeat(60_000), String.class);
                  return "done";
                });
    String id;
    try (Hapax hapax = Hapax.open(file, OPTIONS)) {
      hapax.register(flow);
      id = hapax.start(flow, "A").id();
      hapax.handle(id, String.class).await();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
          INSERT INTO journal (run, seq, op, at, entries, answers, lane)
          SELECT run, 10000 + n.i, op, at, entries, answers, lane FROM journal, n WHERE entries LIKE '%%xxxxx%%'
          """
              .formatted(COPIES));
    }
    return id;
  }
}
