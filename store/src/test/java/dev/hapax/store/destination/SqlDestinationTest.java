package dev.hapax.store.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Statements with bound names, once under a marker, and final errors distinguished from others. */
class SqlDestinationTest {
  @TempDir Path folder;
  private SqlDestination database;

  @BeforeEach
  void makeTable() throws Exception {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + folder.resolve("books.db"));
    database = SqlDestination.of(source);
    database.run("CREATE TABLE booking (id TEXT PRIMARY KEY, cents INTEGER, note TEXT)", Map.of());
  }

  @Test
  void values_are_bound_by_name_and_never_part_of_the_text() throws Exception {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("id", "x'); DROP TABLE booking; --");
    values.put("cents", 5);
    values.put("note", null);
    database.run(
        "INSERT INTO booking (id, cents, note) VALUES (:id, :cents, :note) -- not :this", values);

    assertThat(
            database
                .run(
                    "SELECT id, cents, note, ':id' AS text FROM booking WHERE id = :id",
                    Map.of("id", "x'); DROP TABLE booking; --"))
                .rows())
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("cents", 5)
                    .containsEntry("note", null)
                    .containsEntry("text", ":id"));
  }

  @Test
  void a_marked_statement_runs_once() throws Exception {
    for (int i = 0; i < 2; i++) {
      String result =
          database.once(
              "m-1",
              session ->
                  "\""
                      + session
                          .run("INSERT INTO booking (id) VALUES (:id)", Map.of("id", "a"))
                          .count()
                      + "\"");
      assertThat(result).isEqualTo("\"1\"");
    }
    assertThat(database.run("SELECT id FROM booking", Map.of()).count()).isEqualTo(1);
  }

  @Test
  void the_statements_of_a_transaction_are_written_together_or_not_at_all() throws Exception {
    String insert = "INSERT INTO booking (id) VALUES (:id)";
    assertThatThrownBy(
            () ->
                database.transaction(
                    session -> {
                      session.run(insert, Map.of("id", "a"));
                      throw new IllegalStateException("the receiver is away");
                    }))
        .isInstanceOf(NotApplied.class)
        .hasMessageContaining("the receiver is away");

    long written =
        database.transaction(
            session ->
                session.run(insert, Map.of("id", "b")).count()
                    + session.run(insert, Map.of("id", "c")).count());

    assertThat(written).isEqualTo(2);
    assertThat(database.run("SELECT id FROM booking", Map.of()).count()).isEqualTo(2);
  }

  @Test
  void what_will_never_succeed_is_rejected() throws Exception {
    database.run("INSERT INTO booking (id) VALUES (:id)", Map.of("id", "a"));

    for (String sql :
        List.of("INSERT INTO booking (id) VALUES (:id)", "INSERT INTO nowhere VALUES (:id)")) {
      assertThatThrownBy(() -> database.run(sql, Map.of("id", "a"))).isInstanceOf(Rejected.class);
    }
    assertThatThrownBy(() -> database.run("SELECT :missing", Map.of()))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining(":missing");
    assertThatThrownBy(
            () -> database.run("SELECT :cents", Map.of("cents", new BigDecimal("1e30000000"))))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("at most 1,000 digits, got 1E+30000000");
    assertThat(
            database
                .run("UPDATE booking SET cents = :cents", Map.of("cents", new BigDecimal("7")))
                .count())
        .isEqualTo(1);
  }
}
