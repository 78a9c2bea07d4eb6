package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.store.jdbc.SearchPlans;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search costs as much as it finds, however many runs have ended. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SqliteSearchPlanTest {
  @TempDir Path folder;

  @Test
  void no_search_scans_a_table() throws SQLException {
    Path file = folder.resolve("store.db");
    Hapax.open(file).close();

    try (Connection connection = SqliteConnections.reader(file)) {
      for (String sql : SearchPlans.statements(connection, new SqliteDialect())) {
        assertThat(plan(connection, sql))
            .as(sql)
            .noneMatch(line -> line.matches("SCAN (run|effect|search|inbox|journal)\\b.*"))
            .noneMatch(line -> line.endsWith("USING INTEGER PRIMARY KEY (rowid<?)"));
      }
      assertThat(plans(connection, "json_extract(error, '$.code')")).contains("run_by_error");
      assertThat(plans(connection, "json_extract(error, '$.retryable')")).contains("run_retryable");
      assertThat(plans(connection, "status IN ('failed')")).contains("run_by_status");
      assertThat(plans(connection, "state = 'review'")).contains("effect_by_state");
      assertThat(plans(connection, "external_id = ")).contains("effect_by_external_id");
    }
  }

  private static String plans(Connection connection, String part) throws SQLException {
    var all = new ArrayList<String>();
    for (String sql : SearchPlans.statements(connection, new SqliteDialect())) {
      if (sql.contains(part)) {
        all.addAll(plan(connection, sql));
      }
    }
    return String.join("\n", all);
  }

  private static List<String> plan(Connection connection, String sql) throws SQLException {
    var lines = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      while (rows.next()) {
        lines.add(rows.getString("detail"));
      }
    }
    return lines;
  }
}
