package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Prepared;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Many rows for one statement, sent as an array per column. */
final class Rows {
  private final String types;
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  /**
   * @param types a letter per column: {@code n} for a number or a time, {@code t} for a text,
   *     {@code b} for bytes
   */
  Rows(String types) {
    this.types = types;
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

  int columns() {
    return types.length();
  }

  Array column(int index, Connection connection) throws SQLException {
    return switch (types.charAt(index)) {
      case 'n' -> connection.createArrayOf("int8", column(index, new Long[rows.size()]));
      case 't' -> connection.createArrayOf("text", column(index, new String[rows.size()]));
      default -> connection.createArrayOf("bytea", column(index, new byte[rows.size()][]));
    };
  }

  @SuppressWarnings("unchecked") // the letters say what is in a column
  private <T> T[] column(int index, T[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = (T) rows.get(i)[index];
    }
    return values;
  }
}
