package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A dump of a server's PostgreSQL database contains no readable secret. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresDumpTest {
  private static final String CANARY = "canary-7Q/ä\"of-the-dump";

  @TempDir Path folder;

  @Test
  void a_dump_of_the_database_holds_the_names_of_secrets_and_no_value() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    String url = PostgresServer.shared().newDatabase();
    try (var server = new TestServer(folder, "store.url=" + url)) {
      var put =
          server.put(
              "/api/secrets/bank-of-the-dump",
              "{\"value\": \"%s\"}".formatted(CANARY.replace("\"", "\\\"")));
      assertThat(put.status()).isLessThan(300);

      byte[] bytes = CANARY.getBytes(StandardCharsets.UTF_8);
      assertThat(everyRow(url))
          .contains("bank-of-the-dump")
          .doesNotContain(CANARY)
          .doesNotContain("canary-7Q")
          .doesNotContain(Base64.getEncoder().encodeToString(bytes))
          .doesNotContain(HexFormat.of().formatHex(bytes));
    }
  }

  /** What a dump would hold: each row of each table as text. */
  private static String everyRow(String url) throws SQLException {
    var all = new StringBuilder();
    try (Connection connection = DriverManager.getConnection(url)) {
      String tables =
          "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'hapax'";
      for (String table : column(connection, tables)) {
        column(connection, "SELECT cast(t AS text) FROM " + table + " AS t").forEach(all::append);
      }
    }
    return all.toString();
  }

  private static List<String> column(Connection connection, String query) throws SQLException {
    List<String> found = new ArrayList<>();
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }
}
