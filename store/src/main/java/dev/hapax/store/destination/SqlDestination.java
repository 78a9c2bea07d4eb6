package dev.hapax.store.destination;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A user's database that runs the statements of flow files. Supports PostgreSQL and SQLite. Safe
 * for many threads if its data source is.
 */
public final class SqlDestination implements SqlDatabase {
  private final ConnectionSource source;
  private final NativeTurn turn;
  private final JdbcDestination marked;

  private SqlDestination(ConnectionSource source, NativeTurn turn) {
    this.source = source;
    this.turn = turn;
    this.marked = JdbcDestination.of(source, turn);
  }

  public static SqlDestination of(DataSource source) {
    ConnectionSource connections = source::getConnection;
    return new SqlDestination(connections, new NativeTurn(connections));
  }

  /** Returns a PostgreSQL database at addresses that were already checked. */
  public static SqlDestination of(PostgresPlace place) {
    return new SqlDestination(place::connect, NativeTurn.unlimited(place::connect));
  }

  @Override
  public String once(String marker, Work<Session> work) throws Exception {
    return marked.once(
        marker,
        connection -> work.in((sql, params) -> new NamedStatement(sql).run(connection, params)));
  }

  @Override
  public Result run(String sql, Map<String, ? extends @Nullable Object> params) throws Exception {
    return turn.call(() -> runInTurn(sql, params));
  }

  private Result runInTurn(String sql, Map<String, ? extends @Nullable Object> params)
      throws Exception {
    try (Connection connection = connect()) {
      Result result = uncommitted(connection, sql, params);
      connection.commit(); // errors are passed on: the commit may have happened
      return result;
    }
  }

  private Connection connect() {
    try {
      Connection connection = source.connect();
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new NotApplied("no connection to the database: " + e.getMessage(), e);
    }
  }

  private static Result uncommitted(
      Connection connection, String sql, Map<String, ? extends @Nullable Object> params) {
    try {
      return new NamedStatement(sql).run(connection, params);
    } catch (Rejected e) {
      rollBack(connection, e);
      throw e;
    } catch (SQLException e) {
      rollBack(connection, e);
      throw new NotApplied("the statement was rolled back: " + e.getMessage(), e);
    }
  }

  private static void rollBack(Connection connection, Throwable reason) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e); // the database rolls back by itself: it saw no commit
    }
  }
}
