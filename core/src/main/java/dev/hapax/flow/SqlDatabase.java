package dev.hapax.flow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database of the user in which statements of flow files run: constant text, values bound by
 * name. Safe for many threads.
 */
public interface SqlDatabase extends DestinationDatabase<SqlDatabase.Session> {
  /**
   * Runs one statement in a transaction of its own. Throws {@link NotApplied} or {@link Rejected}
   * only if nothing was written; an error at commit is thrown as it is.
   */
  Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception;

  /** The transaction that also writes the marker. */
  @FunctionalInterface
  interface Session {
    Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception;
  }

  /**
   * What a statement gave.
   *
   * @param rows by column name
   * @param count of rows that were written, or read
   */
  record Result(List<Map<String, @Nullable Object>> rows, long count) {}
}
