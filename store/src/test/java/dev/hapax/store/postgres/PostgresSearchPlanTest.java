package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.store.jdbc.SearchPlans;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A search costs as much as it finds, however many runs have ended. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
class PostgresSearchPlanTest {

  @Test
  void no_search_scans_a_table() throws SQLException {
    DataSource database = TestDatabase.source(TestDatabase.freshUrl());
    Hapax.open(database).close();

    try (Connection connection = database.getConnection();
        Statement settings = connection.createStatement()) {
      settings.execute("SET search_path = hapax");
      settings.execute("SET plan_cache_mode = force_generic_plan");
      settings.execute("SET enable_seqscan = off"); // as in every reader
      var all = new StringBuilder();
      for (String sql : SearchPlans.statements(connection, new PostgresDialect())) {
        String plan = plan(connection, SearchPlans.numbered(sql));
        assertThat(plan)
            .as(sql)
            .doesNotContainPattern("Seq Scan on (run|effect|search|inbox|journal)\\b");
        all.append(plan);
      }
      assertThat(all)
          .contains("run_by_error", "run_retryable", "effect_by_external_id", "search_once");
    }
  }

  /** The parameters are unknown, as in the plans that are kept. */
  private static String plan(Connection connection, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute("PREPARE asked AS " + sql);
      int parameters = sql.split("\\$\\d+", -1).length - 1;
      String nothing =
          parameters == 0
              ? ""
              : "(" + String.join(", ", Collections.nCopies(parameters, "NULL")) + ")";
      try (ResultSet rows = statement.executeQuery("EXPLAIN EXECUTE asked" + nothing)) {
        while (rows.next()) {
          lines.add(rows.getString(1));
        }
      }
      statement.execute("DEALLOCATE asked");
    }
    return String.join("\n", lines) + "\n";
  }
}
