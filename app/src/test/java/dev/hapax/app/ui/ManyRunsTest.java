package dev.hapax.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of runs and its filters, over a store with 100,000 runs. */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ManyRunsTest {
  private static final int RUNS = 100_000;

  /** 300 ms on a quiet machine. */
  private static final Duration LONGEST = Duration.ofSeconds(3);

  private static final List<String> QUERIES =
      List.of(
          "/api/runs?limit=100",
          "/api/runs?limit=100&status=failed",
          "/api/runs?limit=100&status=waiting",
          "/api/runs?limit=100&status=review",
          "/api/runs?limit=100&status=retrying",
          "/api/runs?limit=100&flow=call-me",
          "/api/runs?limit=100&flow=none",
          "/api/runs?limit=100&status=succeeded&flow=none",
          "/api/runs?limit=100&error=card-refused",
          "/api/runs?limit=100&retryable=true",
          "/api/runs?limit=100&keyPrefix=order-999",
          "/api/runs?limit=100&key=order-99998",
          "/api/find?q=order-9999");

  /** Copies of three runs, each a little older than the one before. */
  private static final String COPIES =
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO run (number, id, tenant, flow, release, key, status, fingerprints, input, output,
        error, due_at, timeout_at, created_at, ended_at, expires_at, depth, started_by, search)
      SELECT t.number - i * 41943040, randomblob(16), t.tenant, t.flow, t.release,
        t.flow || '-' || i, t.status, t.fingerprints, t.input, t.output, t.error, t.due_at,
        t.timeout_at, t.created_at - i * 10000, t.ended_at, t.expires_at, t.depth, t.started_by, t.search
      FROM n JOIN run t ON t.key =
        CASE WHEN i % 20 = 7 THEN 'bad' WHEN i % 33 = 5 THEN 'waits' ELSE 'good' END
      """;

  @TempDir Path folder;

  @Test
  void a_list_of_100_000_runs_and_each_filter_answer_at_once() throws Exception {
    try (var server = new TestServer(folder)) {
      server.mood("bad", "refused");
      UiSeed.start(server, "good");
      UiSeed.start(server, "bad");
      String waits = RunSeed.start(server, "call-me", Map.of("id", "waits"));
      RunSeed.awaitStatus(server, waits, "waiting");
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("hapax.db"));
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(COPIES)).isEqualTo(RUNS);
    }

    try (var server = new TestServer(folder)) {
      while (server.get("/api/find?q=order-99998").body().path("items").isEmpty()) {
        Thread.onSpinWait(); // old runs are indexed in the background
      }
      for (String query : QUERIES) {
        Duration best = Duration.ofHours(1);
        for (int i = 0; i < 5; i++) {
          Instant begin = Instant.now();
          assertThat(server.get(query).status()).isEqualTo(200);
          Duration took = Duration.between(begin, Instant.now());
          best = took.compareTo(best) < 0 ? took : best;
        }
        System.out.printf("%,d runs: %4d ms %s%n", RUNS, best.toMillis(), query);
        assertThat(best).as(query).isLessThan(LONGEST);
      }
    }
  }
}
