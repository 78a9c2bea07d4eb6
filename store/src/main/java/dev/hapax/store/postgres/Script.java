package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  private record Statement(String text, Rows rows, Listener listener) {}

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
      statements.add(new Statement(text, rows, listener));
    }
    return this;
  }

  void run() throws SQLException {
    PreparedStatement script = prepare();
    Connection connection = prepared.session.connection();
    int place = 0;
    for (Statement statement : statements) {
      for (int i = 0; i < statement.rows().columns(); i++) {
        script.setArray(++place, statement.rows().column(i, connection));
      }
    }
    script.execute();
    for (int i = 0; i < statements.size(); i++) {
      if (i > 0) {
        script.getMoreResults();
      }
      try (ResultSet rows = script.getResultSet()) {
        while (rows.next()) {
          statements.get(i).listener().row(rows);
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
