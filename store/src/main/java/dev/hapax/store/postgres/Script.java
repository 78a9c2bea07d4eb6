package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several statements that go to the server in one round trip. Each still sees what was committed
 * when it begins, as if it had been sent alone.
 */
final class Script {
  private final Prepared prepared;
  private final List<Statement> statements = new ArrayList<>();

  /** The scripts of one connection, each prepared once. */
  static final class Prepared {
    private final Session session;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    Prepared(Session session) {
      this.session = session;
    }
  }

  /** Hears one row of an answer. */
  @FunctionalInterface
  interface Listener {
    void row(ResultSet row) throws SQLException;
  }

  private record Statement(String text, List<Rows> rows, Listener listener) {}

  Script(Prepared prepared) {
    this.prepared = prepared;
  }

  /**
   * Adds a statement that answers with rows, unless there is nothing to write by it.
   *
   * @param text with a {@code ?} for each column
   */
  Script then(String text, Rows rows, Listener listener) {
    if (!rows.isEmpty()) {
      statements.add(new Statement(text, List.of(rows), listener));
    }
    return this;
  }

  /** Adds a statement that fails if something is not as it is to be. */
  Script then(String text, Rows... rows) {
    if (!Arrays.stream(rows).allMatch(Rows::isEmpty)) {
      statements.add(new Statement(text, List.of(rows), _ -> {}));
    }
    return this;
  }

  /** The transaction is committed if no statement before has failed. */
  Script thenCommit() {
    statements.add(new Statement("COMMIT", List.of(), _ -> {}));
    return this;
  }

  /** What the server warned of meanwhile; null if of nothing. */
  @Nullable SQLWarning run() throws SQLException {
    PreparedStatement script = prepare();
    bind(script);
    script.execute();
    for (int i = 0; i < statements.size(); i++) {
      if (i > 0) {
        script.getMoreResults();
      }
      try (ResultSet rows = script.getResultSet()) {
        while (rows != null && rows.next()) {
          statements.get(i).listener().row(rows);
        }
      }
    }
    return script.getWarnings();
  }

  private void bind(PreparedStatement script) throws SQLException {
    Connection connection = prepared.session.connection();
    int place = 0;
    for (Statement statement : statements) {
      for (Rows rows : statement.rows()) {
        for (int i = 0; i < rows.columns(); i++) {
          script.setArray(++place, rows.column(i, connection));
        }
      }
    }
  }

  private PreparedStatement prepare() throws SQLException {
    String text = String.join(";\n", statements.stream().map(Statement::text).toList());
    PreparedStatement known = prepared.statements.get(text);
    if (known == null) {
      known = prepared.session.connection().prepareStatement(text);
      prepared.statements.put(text, known);
    }
    return known;
  }
}
