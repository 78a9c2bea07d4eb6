package dev.hapax.store.destination;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions in a user's database. Safe for many threads if its connection source is. */
final class UserTransactions {
  private final ConnectionSource source;
  private final NativeTurn turn;

  private UserTransactions(ConnectionSource source, NativeTurn turn) {
    this.source = source;
    this.turn = turn;
  }

  static UserTransactions of(DataSource data) {
    ConnectionSource connections = data::getConnection;
    return new UserTransactions(connections, new NativeTurn(connections));
  }

  static UserTransactions of(PostgresPlace place) {
    return new UserTransactions(place::connect, NativeTurn.unlimited(place::connect));
  }

  /** The statements of one transaction. */
  @FunctionalInterface
  interface Work<T> {
    T in(Connection connection) throws Exception;
  }

  /**
   * Commits the work. Throws {@link NotApplied} or {@link Rejected} if it certainly has not
   * happened; after any other exception of the database it may have.
   */
  <T> T commit(Work<T> work) throws Exception {
    return turn.call(() -> commitInTurn(work));
  }

  private <T> T commitInTurn(Work<T> work) throws Exception {
    try (Connection connection = connect()) {
      T result = uncommitted(connection, work);
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
      throw new NotApplied("no connection to the destination database: " + e.getMessage(), e);
    }
  }

  /** Rolls back before it throws. */
  private static <T> T uncommitted(Connection connection, Work<T> work) {
    try {
      return work.in(connection);
    } catch (NotApplied | Rejected e) {
      rollBack(connection, e);
      throw e;
    } catch (Exception e) {
      rollBack(connection, e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new NotApplied("the transaction was rolled back: " + e.getMessage(), e);
    } catch (Error e) {
      rollBack(connection, e);
      throw e;
    }
  }

  /**
   * If the rollback fails, the connection is dead. The database then rolls back by itself, because
   * it saw no commit.
   */
  private static void rollBack(Connection connection, Throwable reason) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
