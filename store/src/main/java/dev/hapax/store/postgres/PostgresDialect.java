package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Dialect;
import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.util.function.Consumer;

/** Locks rows, because others write too. Keys are unique indexes of the tables themselves. */
final class PostgresDialect implements Dialect {
  private final Consumer<Prepared> told;

  PostgresDialect() {
    this(_ -> {});
  }

  /**
   * @param told receives every statement, for a caller that closes them but not the connection
   */
  PostgresDialect(Consumer<Prepared> told) {
    this.told = told;
  }

  @Override
  public Prepared prepare(Connection connection, String sql) {
    var prepared = Prepared.translated(connection, sql);
    told.accept(prepared);
    return prepared;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public String forUpdate() {
    return " FOR UPDATE";
  }

  @Override
  public String elements(String json) {
    return "SELECT json_array_elements_text(cast(" + json + " AS json))";
  }

  @Override
  public String insertRun(String columns, String values) {
    return "INSERT INTO run (%s) VALUES (%s) ON CONFLICT DO NOTHING".formatted(columns, values);
  }

  @Override
  public String insertEffect(String columns, String values) {
    return "INSERT INTO effect (%s, hash) VALUES (%s, :hash) ON CONFLICT DO NOTHING"
        .formatted(columns, values);
  }

  @Override
  public String reviveEffect(String columns, String values) {
    return "INSERT INTO effect (%s, hash) VALUES (%s, :hash)".formatted(columns, values);
  }

  @Override
  public String runByKey() {
    return "SELECT number FROM run WHERE id = :hash UNION ALL SELECT number FROM expired_run WHERE id = :hash";
  }

  @Override
  public String effectByKey() {
    return "SELECT number FROM effect WHERE hash = :hash UNION ALL SELECT number FROM expired_effect WHERE hash = :hash";
  }

  @Override
  public String entries(String json) {
    return """
        SELECT given.entry ->> 0, given.entry ->> 1, given.entry ->> 2, cast(given.entry ->> 3 AS bigint)
        FROM json_array_elements(cast(%s AS json)) AS given (entry)\
        """
        .formatted(json);
  }

  @Override
  public String jobItems(String json) {
    return """
        SELECT cast(given.item ->> 0 AS bigint), cast(given.item ->> 1 AS bigint), given.item ->> 2, given.item ->> 3,
          given.item ->> 4, given.item ->> 5, given.item ->> 6, given.item ->> 7, cast(given.item ->> 8 AS bigint)
        FROM json_array_elements(cast(%s AS json)) AS given (item)\
        """
        .formatted(json);
  }

  @Override
  public String errorCode() {
    return "(cast(error AS json) ->> 'code')";
  }

  @Override
  public String isRetryable() {
    return "(cast(error AS json) ->> 'retryable') = 'true'";
  }

  @Override
  public String unusualState() {
    return "unusual";
  }

  /** Uses eight bytes of the hash: two lines that share them only wait for each other. */
  @Override
  public String lockLine() {
    return "SELECT true FROM pg_advisory_xact_lock(('x' || encode(substr(:subject, 1, 8), 'hex'))::bit(64)::bigint)";
  }
}
