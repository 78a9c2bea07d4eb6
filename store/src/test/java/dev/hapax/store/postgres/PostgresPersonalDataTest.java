package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.ErasureWish;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.SubjectErasure;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is erased for a person is in no row; and after a table is rewritten, in no file of it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresPersonalDataTest {
  private static final String ANN = "ann-canary@example.com";

  record Order(String id, String mail) {}

  private final Flow<Order, String> order =
      Flow.of("order", Order.class, String.class)
          .key(Order::id)
          .subject(Order::mail)
          .searchable("mail", Order::mail)
          .body(
              (run, order) ->
                  run.effect(
                          "charge",
                          Effect.create(order.id() + order.mail())
                              .request(order)
                              .keyed(Duration.ofDays(7)),
                          _ -> "charged " + order.mail(),
                          String.class)
                      .repeat(order.id().equals("large") ? 5_000 : 1));

  @Test
  void an_erased_person_is_in_no_row_and_after_a_rewrite_in_no_file() throws Exception {
    String url = TestDatabase.freshUrl();
    try (Hapax hapax = Hapax.open(url, HapaxOptions.DEFAULT);
        Connection connection = DriverManager.getConnection(url)) {
      hapax.register(order);
      hapax.inbox().source("shop", Order.class, order, one -> one);
      hapax.start(order, new Order("A-1", ANN)).await();
      hapax.start(order, new Order("large", ANN)).await();
      hapax.start(order, new Order("B-1", "bob@example.com")).await();
      hapax.inbox().receive(Event.from("shop").id("evt-1").payload(new Order("E-1", ANN)));
      eventually(() -> hapax.run(hapax.id("order", "E-1")).status().isEnd());
      while (hapax.indexForSearch()) {}
      assertThat(tablesWith(connection, ANN)).contains("run", "journal", "effect", "inbox");

      SubjectErasure erasure = hapax.subjects().erase(ANN, "ops", "asked", ErasureWish.DEFAULT);
      eventually(() -> hapax.subjects().erasure(erasure.id()).isDone());

      assertThat(tablesWith(connection, ANN)).isEmpty();
      assertThat(tablesWith(connection, "bob@example.com")).contains("run", "effect");
      eventually(() -> filesAfterRewrite(connection).isEmpty());
    }
  }

  /**
   * A transaction of the server's own, such as an ANALYZE, may hold old rows back: then the next
   * rewrite drops them.
   */
  private static List<String> filesAfterRewrite(Connection connection) {
    try {
      run(connection, "VACUUM FULL");
      run(connection, "CHECKPOINT");
      return filesWith(connection, ANN);
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    return texts(
        connection, "SELECT tablename FROM pg_tables WHERE schemaname = 'hapax' ORDER BY 1");
  }

  private static List<String> tablesWith(Connection connection, String text) throws SQLException {
    List<String> found = new ArrayList<>();
    for (String table : tables(connection)) {
      for (String row : texts(connection, "SELECT t::text FROM hapax.\"" + table + "\" t")) {
        // A value in bytea is shown in hex.
        String hex = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
        if ((row.contains(text) || row.contains(hex)) && !found.contains(table)) {
          found.add(table);
        }
      }
    }
    return found;
  }

  private static List<String> filesWith(Connection connection, String text)
      throws SQLException, IOException {
    List<String> found = new ArrayList<>();
    String folder = texts(connection, "SELECT current_setting('data_directory')").getFirst();
    String paths =
        """
        SELECT pg_relation_filepath(oid) FROM pg_class
        WHERE relkind IN ('r', 't', 'i') AND pg_relation_filepath(oid) LIKE 'base/%'
          AND (relnamespace = 'hapax'::regnamespace OR relname LIKE 'pg_toast_%')
        """;
    for (String path : texts(connection, paths)) {
      Path file = Path.of(folder, path);
      if (Files.exists(file)
          && Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
        found.add(path);
      }
    }
    return found;
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void eventually(BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come in time").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
