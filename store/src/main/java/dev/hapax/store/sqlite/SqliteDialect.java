package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Dialect;
import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Locks nothing: there is one writer. Keys have their own tables, filled later and in order. */
final class SqliteDialect implements Dialect {
  @Override
  public Prepared prepare(Connection connection, String sql) throws SQLException {
    return new Prepared(connection, sql);
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public String forUpdate() {
    return "";
  }

  @Override
  public String elements(String json) {
    return "SELECT value FROM json_each(" + json + ")";
  }

  @Override
  public String numbers(String json) {
    return elements(json);
  }

  /** Young ids were checked before: {@link SqliteKeyIndex#isTaken}. */
  @Override
  public String insertRun(String columns, String values) {
    return "INSERT INTO run (%s) SELECT %s WHERE NOT EXISTS (SELECT 1 FROM run_key WHERE hash = :id)"
        .formatted(columns, values);
  }

  @Override
  public String insertEffect(String columns, String values) {
    return "INSERT INTO effect (%s) SELECT %s WHERE NOT EXISTS (SELECT 1 FROM effect_key WHERE hash = :hash)"
        .formatted(columns, values);
  }

  /** Its table has no column for the hash. */
  @Override
  public String reviveEffect(String columns, String values) {
    return "INSERT INTO effect (%s) SELECT %s WHERE :hash IS NOT NULL".formatted(columns, values);
  }

  @Override
  public String runByKey() {
    return "SELECT number FROM run_key WHERE hash = :hash";
  }

  @Override
  public String effectByKey() {
    return "SELECT number FROM effect_key WHERE hash = :hash";
  }

  /** Without WHERE, an ON CONFLICT behind it would be ambiguous. */
  @Override
  public String entries(String json) {
    return """
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
          json_extract(value, '$[3]') FROM json_each(%s) WHERE TRUE\
        """
        .formatted(json);
  }

  /** Without WHERE, an ON CONFLICT behind it would be ambiguous. */
  @Override
  public String jobItems(String json) {
    return """
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
          json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
          json_extract(value, '$[6]'), json_extract(value, '$[7]'), json_extract(value, '$[8]')
        FROM json_each(%s) WHERE TRUE\
        """
        .formatted(json);
  }

  @Override
  public String errorCode() {
    return "json_extract(error, '$.code')";
  }

  @Override
  public String isRetryable() {
    return "json_extract(error, '$.retryable') = 1";
  }

  @Override
  public String unusualState() {
    return "state";
  }

  @Override
  public @Nullable String lockLine() {
    return null;
  }
}
