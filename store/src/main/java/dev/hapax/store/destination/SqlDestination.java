package dev.hapax.store.destination;

import dev.hapax.flow.SqlDatabase;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A user's database that runs the statements of flow files. Supports PostgreSQL and SQLite. Safe
 * for many threads if its data source is.
 */
public final class SqlDestination implements SqlDatabase {
  private final UserTransactions transactions;
  private final JdbcDestination marked;

  private SqlDestination(UserTransactions transactions) {
    this.transactions = transactions;
    this.marked = new JdbcDestination(transactions);
  }

  public static SqlDestination of(DataSource source) {
    return new SqlDestination(UserTransactions.of(source));
  }

  /** Returns a PostgreSQL database at addresses that were already checked. */
  public static SqlDestination of(PostgresPlace place) {
    return new SqlDestination(UserTransactions.of(place));
  }

  @Override
  public String once(String marker, Work<Session> work) throws Exception {
    return marked.once(
        marker,
        connection -> work.in((sql, params) -> new NamedStatement(sql).run(connection, params)));
  }

  @Override
  public Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception {
    return transactions.commit(connection -> new NamedStatement(sql).run(connection, params));
  }

  @Override
  public <T> T transaction(Transaction<T> work) throws Exception {
    return transactions.commit(
        connection -> work.in((sql, params) -> new NamedStatement(sql).run(connection, params)));
  }
}
