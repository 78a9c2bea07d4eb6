package dev.hapax.store.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A write under a marker happens once, and what is reported about it is true. */
class JdbcDestinationTest {
  @TempDir Path folder;
  private SQLiteDataSource source;
  private JdbcDestination destination;

  @BeforeEach
  void makeTables() throws SQLException {
    var config = new SQLiteConfig();
    config.enforceForeignKeys(true);
    source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
    run("CREATE TABLE customer (id TEXT PRIMARY KEY)");
    run(
        """
        CREATE TABLE invoice (
          id TEXT PRIMARY KEY,
          customer TEXT REFERENCES customer (id) DEFERRABLE INITIALLY DEFERRED
        )
        """);
    destination = JdbcDestination.of(source);
  }

  @Test
  void a_write_happens_once_and_answers_the_same_every_time() throws Exception {
    var calls = new AtomicInteger();

    String first = destination.once("m-1", connection -> insert(connection, calls, null));
    String second = destination.once("m-1", connection -> insert(connection, calls, null));

    assertThat(first).isEqualTo("\"invoice 1\"");
    assertThat(second).isEqualTo(first);
    assertThat(calls).hasValue(1);
    assertThat(invoices()).isEqualTo(1);
  }

  @Test
  void another_marker_is_another_write() throws Exception {
    var calls = new AtomicInteger();

    destination.once("m-1", connection -> insert(connection, calls, null));
    destination.once("m-2", connection -> insert(connection, calls, null));

    assertThat(invoices()).isEqualTo(2);
  }

  @Test
  void a_write_that_fails_is_rolled_back_and_can_be_tried_again() throws Exception {
    var calls = new AtomicInteger();

    assertThatThrownBy(
            () ->
                destination.once(
                    "m-1",
                    connection -> {
                      insert(connection, calls, null);
                      throw new IOException("no price");
                    }))
        .isInstanceOf(NotApplied.class)
        .hasMessageContaining("no price");

    assertThat(invoices()).isZero();
    destination.once("m-1", connection -> insert(connection, calls, null));
    assertThat(invoices()).isEqualTo(1);
  }

  @Test
  void a_rejection_is_passed_on_after_the_rollback() throws Exception {
    var rejected = new Rejected("closed-account", "the account is closed");

    assertThatThrownBy(
            () ->
                destination.once(
                    "m-1",
                    connection -> {
                      insert(connection, new AtomicInteger(), null);
                      throw rejected;
                    }))
        .isSameAs(rejected);

    assertThat(invoices()).isZero();
  }

  @Test
  void an_error_at_commit_is_passed_on_because_its_outcome_is_unknown() {
    assertThatThrownBy(
            () ->
                destination.once(
                    "m-1", connection -> insert(connection, new AtomicInteger(), "nobody")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("FOREIGN KEY");
  }

  @Test
  void no_connection_is_not_applied() {
    source.setUrl("jdbc:sqlite:" + folder);

    assertThatThrownBy(() -> destination.once("m-1", connection -> "1"))
        .isInstanceOf(NotApplied.class);
  }

  private static String insert(
      Connection connection, AtomicInteger calls, @Nullable String customer) throws SQLException {
    int call = calls.incrementAndGet();
    try (var insert = connection.prepareStatement("INSERT INTO invoice VALUES (?, ?)")) {
      insert.setString(1, "invoice " + call);
      insert.setString(2, customer);
      insert.executeUpdate();
    }
    return "\"invoice " + call + "\"";
  }

  private int invoices() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM invoice")) {
      return rows.getInt(1);
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
