package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.RowIsGone;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Set;

/** Says what an error of PostgreSQL means for its transaction. */
final class PostgresErrors {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String DISK_FULL = "53100";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Two transactions were in each other's way: a retry helps. */
  private static final Set<String> IN_THE_WAY =
      Set.of(
          "40001", // serialization failure
          "40P01", // deadlock
          LOCK_NOT_AVAILABLE); // in time

  /** The server is shutting down, or no longer takes writes. */
  private static final Set<String> GOODBYE =
      Set.of(
          "25006", // read-only transaction: a standby
          "25P03", // idle in transaction for too long
          "53300", // too many connections
          "57P01", // shut down by an administrator
          "57P02", // crash of another backend
          "57P03"); // cannot connect now

  private PostgresErrors() {}

  /** The group's own data: a retry would fail again, and without this group the others land. */
  static boolean isOfTheData(SQLException e) {
    String state = state(e);
    return e instanceof SQLDataException
        || state.startsWith("22")
        || state.startsWith("23")
        || state.startsWith("54");
  }

  /**
   * Certainly about the question, and so the same on every connection. All statements are our own.
   * If the server does not understand or permit one, the database was changed, and a person can
   * change it back.
   */
  static boolean isOfTheQuestion(SQLException e) {
    String state = state(e);
    return e instanceof SQLDataException || state.startsWith("22") || state.startsWith("54");
  }

  static boolean isInTheWay(SQLException e) {
    return IN_THE_WAY.contains(state(e));
  }

  /** Another transaction has kept a lock for longer than we wait. */
  static boolean isBlocked(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(state(e));
  }

  /** A rival's row came between a look and the insert; if it stays, it is the data after all. */
  static boolean isRival(SQLException e) {
    return e instanceof RowIsGone || UNIQUE_VIOLATION.equals(state(e));
  }

  static boolean isFull(SQLException e) {
    return DISK_FULL.equals(state(e));
  }

  /** The error came before COMMIT could do anything, even if COMMIT was sent along. */
  static boolean isBeforeCommit(SQLException e) {
    return isOfTheData(e) || isInTheWay(e) || isFull(e);
  }

  /** Only the connection is lost. */
  static boolean isLost(SQLException e) {
    return state(e).startsWith("08") || GOODBYE.contains(state(e));
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
