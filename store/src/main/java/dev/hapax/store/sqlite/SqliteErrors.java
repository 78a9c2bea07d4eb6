package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.ReadFailure;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;

/** What an error of SQLite says about the commit that met it. */
final class SqliteErrors {
  /** The group's own data: the same again would fail again, and without it the others land. */
  private static final Set<SQLiteErrorCode> DATA =
      Set.of(
          SQLiteErrorCode.SQLITE_CONSTRAINT,
          SQLiteErrorCode.SQLITE_TOOBIG,
          SQLiteErrorCode.SQLITE_MISMATCH);

  private SqliteErrors() {}

  static boolean isOfTheData(SQLException e) {
    return e instanceof SQLDataException || DATA.contains(code(e));
  }

  /** What the error of a query says: a disk that does not give back what it took is not trusted. */
  static ReadFailure ofRead(SQLException e) {
    if (e instanceof SQLDataException) {
      return ReadFailure.OF_THE_QUESTION;
    }
    return switch (code(e)) {
      case SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> ReadFailure.OF_THE_QUESTION;
      case SQLITE_BUSY,
          SQLITE_LOCKED,
          SQLITE_NOMEM,
          SQLITE_INTERRUPT,
          SQLITE_PROTOCOL,
          SQLITE_SCHEMA,
          SQLITE_CANTOPEN,
          SQLITE_FULL ->
          ReadFailure.OF_THE_MOMENT;
      default -> ReadFailure.OF_THE_STORE;
    };
  }

  static boolean isFull(SQLException e) {
    return code(e) == SQLiteErrorCode.SQLITE_FULL;
  }

  static boolean isBusy(SQLException e) {
    return code(e) == SQLiteErrorCode.SQLITE_BUSY;
  }

  /**
   * The driver closes a statement that fails for any other reason: only a new connection brings it
   * back.
   */
  static boolean leavesStatementsUsable(SQLException e) {
    return e instanceof SQLDataException || code(e) == SQLiteErrorCode.SQLITE_CONSTRAINT;
  }

  private static SQLiteErrorCode code(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode()); // without the extended part
  }
}
