package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL chooses how to execute a commit by its statistics, and they can be out of date. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class CommitPlansTest {
  /** More than a page of the table, so that an index is worth its cost. */
  private static final int ENDED_RUNS = 2_000;

  @Test
  void a_commit_finds_its_runs_by_number_also_if_statistics_know_no_owner() throws SQLException {
    String url = TestDatabase.freshUrl();
    Flow<Integer, Integer> flow =
        Flow.of("count", Integer.class, Integer.class)
            .key(number -> "" + number)
            .body((_, number) -> number);
    try (Hapax hapax = Hapax.open(TestDatabase.source(url))) {
      hapax.register(flow);
      hapax.start(flow, 1).await();
    }
    try (Connection connection = TestDatabase.source(url).getConnection();
        Statement sql = connection.createStatement()) {
      sql.execute("SET search_path = hapax");
      moreEndedRuns(sql);
      sql.execute("ANALYZE run");
      sql.execute("SET plan_cache_mode = force_generic_plan");
      sql.execute(
          "PREPARE heads (bigint[], bigint[], bigint[]) AS "
              + OneTrip.LOCK_HEADS.replace(":rows", "unnest($1, $2, $3)").replace(":count", "1"));

      List<String> plan = lines(sql, "EXPLAIN EXECUTE heads ('{1}', '{1}', '{1}')");

      assertThat(plan).anyMatch(line -> line.contains("run_pkey"));
      assertThat(plan).noneMatch(line -> line.contains("run_by_owner"));
    }
  }

  private static void moreEndedRuns(Statement sql) throws SQLException {
    List<String> columns =
        lines(
            sql,
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'hapax'"
                + " AND table_name = 'run' AND column_name NOT IN ('number', 'id')");
    String others = String.join(", ", columns);
    sql.execute(
        "INSERT INTO run (number, id, %s) SELECT number + i, decode(md5('' || i), 'hex'), %s"
                .formatted(others, others)
            + " FROM run, generate_series(1, %d) AS i".formatted(ENDED_RUNS));
  }

  private static List<String> lines(Statement sql, String query) throws SQLException {
    var found = new ArrayList<String>();
    try (ResultSet rows = sql.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }
}
