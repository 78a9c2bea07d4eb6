package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several statements in one round trip. Each still sees what was committed when it begins, as if it
 * had been sent alone.
 */
final class Script {
  /** The place of the rows in a statement's text. */
  private static final String ROWS = ":rows";

  /** The place of the number of those rows. */
  private static final String COUNT = ":count";

  private final Prepared prepared;
  private final List<Statement> statements = new ArrayList<>();

  /** The scripts of one connection, each prepared once. */
  static final class Prepared {
    private final Session session;
    private final Map<Shape, PreparedStatement> statements = new HashMap<>();

    Prepared(Session session) {
      this.session = session;
    }
  }

  /**
   * The part that is equal in scripts that differ only in their rows.
   *
   * @param isOne whether each statement has a single row: that costs the server a third less
   */
  private record Shape(List<String> texts, boolean isOne) {}

  /** Receives one row of an answer. */
  @FunctionalInterface
  interface Listener {
    void row(ResultSet row) throws SQLException;
  }

  private record Statement(String text, List<Rows> rows, Listener listener) {
    String text(boolean isOne) {
      String full = text.replace(COUNT, "?");
      for (Rows some : rows) {
        int place = full.indexOf(ROWS);
        full = full.substring(0, place) + some.text(isOne) + full.substring(place + ROWS.length());
      }
      return full;
    }

    int bind(PreparedStatement script, int first, boolean isOne) throws SQLException {
      int place = first;
      for (Rows some : rows) {
        place = some.bind(script, place, isOne);
      }
      if (text.contains(COUNT)) {
        script.setLong(place++, rows.getFirst().count());
      }
      return place;
    }
  }

  Script(Prepared prepared) {
    this.prepared = prepared;
  }

  /** Adds a statement that is about no rows of ours. */
  Script then(String text, Listener listener) {
    statements.add(new Statement(text, List.of(), listener));
    return this;
  }

  /**
   * Adds a statement that answers with rows, unless it has nothing to write.
   *
   * @param text with {@code :rows} in their place
   */
  Script then(String text, Rows rows, Listener listener) {
    if (!rows.isEmpty()) {
      statements.add(new Statement(text, List.of(rows), listener));
    }
    return this;
  }

  /**
   * Adds a statement that fails if something is not as expected.
   *
   * @param text with {@code :rows} for each, and perhaps {@code :count} after them
   */
  Script then(String text, Rows rows) {
    return then(text, rows, _ -> {});
  }

  /** Adds a statement about all of these lists, even if they are empty. */
  Script thenOf(String text, Rows... lists) {
    statements.add(new Statement(text, List.of(lists), _ -> {}));
    return this;
  }

  /** Adds a COMMIT, which takes effect if no statement before it has failed. */
  Script thenCommit() {
    return thenOf("COMMIT");
  }

  /** Returns the server's warnings meanwhile; null if there were none. */
  @Nullable SQLWarning run() throws SQLException {
    boolean isOne = statements.stream().flatMap(each -> each.rows().stream()).allMatch(Rows::isOne);
    PreparedStatement script = prepare(isOne);
    int place = 1;
    for (Statement statement : statements) {
      place = statement.bind(script, place, isOne);
    }
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

  private PreparedStatement prepare(boolean isOne) throws SQLException {
    var shape = new Shape(statements.stream().map(Statement::text).toList(), isOne);
    PreparedStatement known = prepared.statements.get(shape);
    if (known == null) {
      List<String> texts = statements.stream().map(each -> each.text(isOne)).toList();
      known = prepared.session.connection().prepareStatement(String.join(";\n", texts));
      prepared.statements.put(shape, known);
    }
    return known;
  }
}
