package dev.hapax.store.destination;

import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.json.HugeNumber;
import dev.hapax.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A statement of a flow file: constant text with values bound by {@code :name}. */
final class NamedStatement {
  static final int MOST_ROWS = 10_000;

  /** Skips quoted texts, comments and casts; any other colon begins a name. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "'(?:[^']|'')*'|\"[^\"]*\"|--[^\\n]*|/\\*.*?\\*/|::|:([A-Za-z_][A-Za-z0-9_]*)",
          Pattern.DOTALL);

  private final String sql;
  private final List<String> names = new ArrayList<>();

  NamedStatement(String text) {
    var positional = new StringBuilder();
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      String name = token.group(1);
      if (name != null) {
        names.add(name);
      }
      token.appendReplacement(
          positional, Matcher.quoteReplacement(name == null ? token.group() : "?"));
    }
    this.sql = token.appendTail(positional).toString();
  }

  SqlDatabase.Result run(Connection connection, Map<String, ? extends @Nullable Object> params)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setMaxRows(MOST_ROWS + 1);
      for (int i = 0; i < names.size(); i++) {
        bind(statement, i + 1, valueOf(names.get(i), params));
      }
      if (!statement.execute()) {
        return new SqlDatabase.Result(List.of(), Math.max(0, statement.getLargeUpdateCount()));
      }
      List<Map<String, @Nullable Object>> rows = rows(statement);
      return new SqlDatabase.Result(rows, rows.size());
    } catch (SQLException e) {
      throw finalOrNot(e);
    }
  }

  private static @Nullable Object valueOf(
      String name, Map<String, ? extends @Nullable Object> params) {
    if (!params.containsKey(name)) {
      throw new Rejected(
          "sql-parameter",
          "the statement uses :%s, but params has no such name. Add it to params".formatted(name));
    }
    return params.get(name);
  }

  private static void bind(PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case null -> statement.setObject(at, null);
      case Integer number -> statement.setLong(at, number);
      case Long number -> statement.setLong(at, number);
      case Double number -> statement.setDouble(at, number);
      case BigDecimal number when HugeNumber.is(number) -> // a driver would write it out
          throw new Rejected(
              "sql-parameter",
              "parameter %d of the statement: %s".formatted(at, HugeNumber.shown(number)));
      case BigDecimal number -> statement.setBigDecimal(at, number);
      case BigInteger number -> statement.setBigDecimal(at, new BigDecimal(number));
      case Boolean truth -> statement.setBoolean(at, truth);
      case String text -> statement.setString(at, text);
      default -> statement.setString(at, Json.write(value));
    }
  }

  private static List<Map<String, @Nullable Object>> rows(PreparedStatement statement)
      throws SQLException {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    try (ResultSet found = statement.getResultSet()) {
      ResultSetMetaData columns = found.getMetaData();
      while (found.next()) {
        if (rows.size() == MOST_ROWS) {
          throw new Rejected(
              "sql-too-many-rows",
              "the statement gives more than %,d rows: add a LIMIT".formatted(MOST_ROWS));
        }
        var row = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          row.put(columns.getColumnLabel(i), plain(found.getObject(i)));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** Converts to a JSON type; times and similar types become text. */
  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Number _, Boolean _, String _ -> value;
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case java.sql.Timestamp time -> time.toInstant().toString();
      default -> value.toString();
    };
  }

  /** Errors in data, constraints and syntax are final: a retry would fail again. */
  private static SQLException finalOrNot(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PostgresFrames.TooLarge large) {
        throw new Rejected("sql-too-large", String.valueOf(large.getMessage()), e);
      }
    }
    String state = e.getSQLState();
    boolean permanent =
        state == null
            ? e.getErrorCode() == 1 || (e.getErrorCode() & 0xff) == 19 // SQLite gives codes only
            : state.startsWith("22") || state.startsWith("23") || state.startsWith("42");
    if (permanent) {
      String code = state == null ? Integer.toString(e.getErrorCode()) : state;
      throw new Rejected("sql-" + code, "the database refused the statement: " + e.getMessage(), e);
    }
    return e;
  }
}
