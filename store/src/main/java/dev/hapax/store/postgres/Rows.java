package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Prepared;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Rows for one statement: many are sent as an array per column, a single one as plain values. */
final class Rows {
  private final String types;
  private final boolean isList;
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  /**
   * @param types a letter per column: {@code n} for a number or a time, {@code t} for a text,
   *     {@code b} for bytes
   */
  Rows(String types) {
    this(types, false);
  }

  private Rows(String types, boolean isList) {
    this.types = types;
    this.isList = isList;
  }

  /** One column, which a statement always gets as an array. */
  static Rows list(String type) {
    return new Rows(type, true);
  }

  void add(@Nullable Object... row) throws SQLDataException {
    for (int i = 0; i < row.length; i++) {
      if (row[i] instanceof String text && text.indexOf('\0') >= 0) {
        throw Prepared.nul();
      } else if (row[i] instanceof Instant at) {
        row[i] = at.toEpochMilli();
      } else if (row[i] instanceof Integer number) {
        row[i] = number.longValue();
      }
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  int count() {
    return rows.size();
  }

  /** Whether they can be sent as a single row. */
  boolean isOne() {
    return isList || rows.size() == 1;
  }

  /** Their text in a statement: a table, or an array if they are a list. */
  String text(boolean isOne) {
    if (isList) {
      return "?";
    }
    var columns =
        isOne ? new StringJoiner(", ", "(SELECT ", ")") : new StringJoiner(", ", "unnest(", ")");
    for (int i = 0; i < types.length(); i++) {
      columns.add(isOne ? "cast(? AS %s)".formatted(type(i)) : "?");
    }
    return columns.toString();
  }

  private String type(int column) {
    return switch (types.charAt(column)) {
      case 'n' -> "int8";
      case 't' -> "text";
      default -> "bytea";
    };
  }

  /** Binds the values; returns the next place. */
  int bind(PreparedStatement statement, int first, boolean isOne) throws SQLException {
    for (int i = 0; i < types.length(); i++) {
      if (isOne && !isList) {
        bind(statement, first + i, types.charAt(i), rows.getFirst()[i]);
      } else {
        statement.setArray(first + i, column(i, statement.getConnection()));
      }
    }
    return first + types.length();
  }

  private static void bind(
      PreparedStatement statement, int place, char type, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case Long number -> statement.setLong(place, number);
      case String text -> statement.setString(place, text);
      case byte[] bytes -> statement.setBytes(place, bytes);
      case null ->
          statement.setNull(
              place, type == 'n' ? Types.BIGINT : type == 't' ? Types.VARCHAR : Types.BINARY);
      default -> throw new IllegalArgumentException("not of a column: " + value.getClass());
    }
  }

  private Array column(int index, Connection connection) throws SQLException {
    return connection.createArrayOf(
        type(index),
        switch (types.charAt(index)) {
          case 'n' -> column(index, new Long[rows.size()]);
          case 't' -> column(index, new String[rows.size()]);
          default -> column(index, new byte[rows.size()][]);
        });
  }

  @SuppressWarnings("unchecked") // the letters say what is in a column
  private <T> T[] column(int index, T[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = (T) rows.get(i)[index];
    }
    return values;
  }
}
