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

  /**
   * Commits the statements of the work together. The work may also wait for something else, such as
   * a commit in another store; then its error rolls the statements back.
   */
  default <T> T transaction(Transaction<T> work) throws Exception {
    throw new NotApplied("this database has no transactions of several statements");
  }

  /** The statements of a transaction, and what is done between them. */
  @FunctionalInterface
  interface Transaction<T> {
    T in(Session session) throws Exception;
  }

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
