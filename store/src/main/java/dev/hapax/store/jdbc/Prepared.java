package dev.hapax.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that one thread prepares once and executes many times. Its parameters are named in
 * the text and bound in the order in which their names first appear there.
 */
public final class Prepared implements AutoCloseable {
  /** SQLSTATE of a text with a character that the database cannot store. */
  private static final String CHARACTER_NOT_IN_REPERTOIRE = "22021";

  private final Connection connection;
  private final String text;
  private final int[][] places;
  private @Nullable PreparedStatement statement;
  private int bound;

  /** For a driver that supports named parameters itself. */
  public Prepared(Connection connection, String sql) throws SQLException {
    this(connection, sql, NamedParameters.ONE_PLACE_EACH);
    statement();
  }

  private Prepared(Connection connection, String text, int[][] places) {
    this.connection = connection;
    this.text = text;
    this.places = places;
  }

  /** For a driver that supports only {@code ?}; the server first sees it when it is used. */
  public static Prepared translated(Connection connection, String sql) {
    var named = NamedParameters.in(sql);
    return new Prepared(connection, named.text(), named.places());
  }

  private PreparedStatement statement() throws SQLException {
    PreparedStatement present = statement;
    if (present == null) {
      present = connection.prepareStatement(text);
      statement = present;
    }
    return present;
  }

  public Prepared with(long number) throws SQLException {
    for (int place : places[bound++]) {
      statement().setLong(place, number);
    }
    return this;
  }

  public Prepared with(@Nullable Long number) throws SQLException {
    if (number != null) {
      return with(number.longValue());
    }
    for (int place : places[bound++]) {
      statement().setNull(place, Types.BIGINT);
    }
    return this;
  }

  /** Binds epoch milliseconds. */
  public Prepared with(@Nullable Instant at) throws SQLException {
    return with(at == null ? null : (Long) at.toEpochMilli());
  }

  /** Refuses NUL: some functions of SQLite would cut the text there, and PostgreSQL refuses it. */
  public Prepared with(@Nullable String text) throws SQLException {
    if (text != null && text.indexOf('\0') >= 0) {
      bound = 0;
      throw nul();
    }
    for (int place : places[bound++]) {
      statement().setString(place, text);
    }
    return this;
  }

  /** The error for a text that cannot be stored. */
  public static SQLDataException nul() {
    return new SQLDataException(
        "a text holds the character NUL, which cannot be stored", CHARACTER_NOT_IN_REPERTOIRE);
  }

  public Prepared with(byte @Nullable [] bytes) throws SQLException {
    for (int place : places[bound++]) {
      statement().setBytes(place, bytes);
    }
    return this;
  }

  /** Binds an array, for databases that have arrays. */
  public Prepared with(List<Key> keys) throws SQLException {
    byte[][] all = keys.stream().map(Key::bytes).toArray(byte[][]::new);
    for (int place : places[bound++]) {
      statement().setArray(place, connection.createArrayOf("bytea", all));
    }
    return this;
  }

  /** Returns how many rows it changed. */
  public int update() throws SQLException {
    bound = 0;
    return statement().executeUpdate();
  }

  /** For statements that neither change rows nor return any. */
  public void execute() throws SQLException {
    bound = 0;
    statement().execute();
  }

  public <T> @Nullable T first(Mapping<T> mapping) throws SQLException {
    bound = 0;
    try (ResultSet rows = statement().executeQuery()) {
      return rows.next() ? mapping.of(new Row(rows)) : null;
    }
  }

  public <T> List<T> all(Mapping<T> mapping) throws SQLException {
    bound = 0;
    List<T> all = new ArrayList<>();
    try (ResultSet rows = statement().executeQuery()) {
      var row = new Row(rows);
      while (rows.next()) {
        all.add(mapping.of(row));
      }
    }
    return all;
  }

  @Override
  public void close() throws SQLException {
    if (statement != null) {
      statement.close();
    }
  }

  /** Makes a value from a row. */
  @FunctionalInterface
  public interface Mapping<T> {
    T of(Row row) throws SQLException;
  }
}
