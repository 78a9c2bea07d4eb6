package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A secret key that was erased is in no file of its table, not even in dead rows. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class ErasedPostgresKeyTest {
  private static final byte[] KEY =
      "a key of 32 bytes, to be found!!".getBytes(StandardCharsets.ISO_8859_1);

  @Test
  void an_erased_key_is_in_no_file_of_its_table() throws Exception {
    String url = TestDatabase.freshUrl();
    try (Store store =
            new PostgresStore(() -> DriverManager.getConnection(url), Ports.system().threads());
        Connection connection = DriverManager.getConnection(url)) {
      store.secretKey(KEY);
      Path before = file(connection);
      assertThat(hasKey(before)).isTrue();

      store.eraseSecretKey(KEY);

      assertThat(store.secretKey()).isNull();
      Path after = file(connection);
      assertThat(after).isNotEqualTo(before);
      assertThat(hasKey(after)).isFalse();
      assertThat(Files.exists(before) && hasKey(before)).as("the old file").isFalse();
    }
  }

  /** Writes the table out, and returns its file. */
  private static Path file(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
      try (ResultSet row =
          statement.executeQuery(
              "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('hapax.secret')")) {
        row.next();
        return Path.of(row.getString(1));
      }
    }
  }

  private static boolean hasKey(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1)
        .contains(new String(KEY, StandardCharsets.ISO_8859_1));
  }
}
