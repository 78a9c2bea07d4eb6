package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The db step over its port; the port over real databases is tested where they are. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DbStepTest {
  /** A database that loses commits on request. */
  private static final class Books implements SqlDatabase {
    final List<String> written = new ArrayList<>();
    final Map<String, String> markers = new HashMap<>();
    boolean losesNextCommit;

    @Override
    public synchronized String once(String marker, Work<Session> work) throws Exception {
      String known = markers.get(marker);
      if (known != null) {
        return known;
      }
      String result = work.in(this::run);
      markers.put(marker, result);
      if (losesNextCommit) {
        losesNextCommit = false;
        throw new IOException("the connection was reset at commit");
      }
      return result;
    }

    @Override
    public synchronized Result run(String sql, Map<String, ? extends @Nullable Object> params) {
      if (sql.startsWith("SELECT")) {
        return new Result(List.of(Map.of("id", String.valueOf(params.get("id")))), 1);
      }
      written.add(sql + " " + params);
      return new Result(List.of(), 1);
    }
  }

  @Test
  void a_write_whose_commit_was_lost_happens_once() {
    var books = new Books();
    books.losesNextCommit = true;
    try (FlowFiles files =
        FlowFiles.with(Ports.system())
            .connections(name -> Optional.of(new Connection.Database(name, books)))
            .open()) {
      LoadedFlow flow =
          files.load(
              "db.yaml",
              """
              flow: books
              key: ${input.id}
              steps:
                - id: book
                  db: {connection: books, sql: "INSERT INTO bookings (id) VALUES (:id)", params: {id: "${input.id}"}}
                  effect: {kind: create, key: "${input.id}", guard: transaction}
                - id: rows
                  db: {connection: books, sql: "SELECT id FROM bookings WHERE id = :id", params: {id: "${input.id}"}}
              output: ["${steps.book.output.count}", "${steps.rows.output.rows[0].id}"]
              """,
              1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo(List.of(1, "A"));
        assertThat(books.written).containsExactly("INSERT INTO bookings (id) VALUES (:id) {id=A}");
      }
    }
  }
}
