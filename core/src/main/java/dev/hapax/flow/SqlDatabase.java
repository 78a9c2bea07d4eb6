package dev.hapax.flow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user's database that runs the statements of flow files: constant text, with values bound by
 * name. Safe for many threads.
 */
public interface SqlDatabase extends DestinationDatabase<SqlDatabase.Session> {
  /**
   * Runs one statement in its own transaction. Throws {@link NotApplied} or {@link Rejected} only
   * if nothing was written. An error at commit is thrown as it is.
   */
  Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception;

  /** The transaction that also writes the marker. */
  @FunctionalInterface
  interface Session {
    Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception;
  }

  /**
   * The result of a statement.
   *
   * @param rows the values of each row, by column name
   * @param count of rows written or read
   */
  record Result(List<Map<String, @Nullable Object>> rows, long count) {}
}
