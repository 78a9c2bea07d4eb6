package dev.hapax.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The current row of a query. Columns count from 1, in the order of the statement's text. */
public final class Row {
  private final ResultSet rows;

  Row(ResultSet rows) {
    this.rows = rows;
  }

  public long number(int column) throws SQLException {
    return rows.getLong(column);
  }

  public @Nullable Long numberOrNull(int column) throws SQLException {
    long number = rows.getLong(column);
    return number == 0 && rows.wasNull()
        ? null
        : (Long) number; // asking only after a 0 saves a native call
  }

  public boolean flag(int column) throws SQLException {
    return rows.getBoolean(column);
  }

  public Instant at(int column) throws SQLException {
    return Instant.ofEpochMilli(rows.getLong(column));
  }

  public @Nullable Instant atOrNull(int column) throws SQLException {
    Long millis = numberOrNull(column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  public String text(int column) throws SQLException {
    return notNull(rows.getString(column), column);
  }

  public @Nullable String textOrNull(int column) throws SQLException {
    return rows.getString(column);
  }

  public byte[] bytes(int column) throws SQLException {
    return notNull(rows.getBytes(column), column);
  }

  /** For a column that is NOT NULL: the driver returns NULL for empty bytes. */
  public byte[] bytesOrEmpty(int column) throws SQLException {
    byte[] bytes = rows.getBytes(column);
    return bytes == null ? new byte[0] : bytes;
  }

  public byte @Nullable [] bytesOrNull(int column) throws SQLException {
    return rows.getBytes(column);
  }

  private static <T> T notNull(@Nullable T value, int column) throws SQLException {
    if (value == null) {
      throw new SQLException("column " + column + " is NULL, where the schema has NOT NULL");
    }
    return value;
  }
}
