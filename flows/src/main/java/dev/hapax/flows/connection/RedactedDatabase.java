package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from a database's rows and errors: a database that asks for a password may repeat
 * it.
 */
record RedactedDatabase(SqlDatabase database, Redaction redaction) implements SqlDatabase {
  @Override
  public Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception {
    try {
      return told(database.run(sql, params));
    } catch (Exception e) {
      throw told(e);
    }
  }

  @Override
  public String once(String marker, Work<Session> work) throws Exception {
    try {
      return database.once(
          marker, session -> work.in((sql, params) -> told(session.run(sql, params))));
    } catch (Exception e) {
      throw told(e);
    }
  }

  @Override
  public <T> T transaction(Transaction<T> work) throws Exception {
    try {
      return database.transaction(
          session -> work.in((sql, params) -> told(session.run(sql, params))));
    } catch (Exception e) {
      throw told(e);
    }
  }

  private Result told(Result result) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Map<String, @Nullable Object> row : result.rows()) {
      var told = new LinkedHashMap<String, @Nullable Object>();
      row.forEach((column, value) -> told.put(column, redaction.redact(value)));
      rows.add(told);
    }
    return new Result(rows, result.count());
  }

  /** Returns the exception, or a redacted one of its kind if it or a cause contains a secret. */
  private Exception told(Exception thrown) {
    boolean isClean = true;
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      String words = String.valueOf(one.getMessage());
      isClean &= redaction.redact(words).equals(words);
    }
    if (isClean) {
      return thrown;
    }
    String words = redaction.redact(String.valueOf(thrown.getMessage()));
    return switch (thrown) {
      case NotApplied _ -> new NotApplied(words);
      case Rejected rejected -> new Rejected(rejected.code(), words);
      default -> new IllegalStateException(words);
    };
  }
}
