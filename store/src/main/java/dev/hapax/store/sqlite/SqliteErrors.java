package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.ReadFailure;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;

/** Says what an error of SQLite means for its commit. */
final class SqliteErrors {
  /** The group's own data: a retry would fail again, and without this group the others land. */
  private static final Set<SQLiteErrorCode> DATA =
      Set.of(
          SQLiteErrorCode.SQLITE_CONSTRAINT,
          SQLiteErrorCode.SQLITE_TOOBIG,
          SQLiteErrorCode.SQLITE_MISMATCH);

  private SqliteErrors() {}

  static boolean isOfTheData(SQLException e) {
    return e instanceof SQLDataException || DATA.contains(code(e));
  }

  /** Classifies the error of a query: a disk that does not return its data is not trusted. */
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

  /** For any other error the driver closes the statement: only a new connection restores it. */
  static boolean leavesStatementsUsable(SQLException e) {
    return e instanceof SQLDataException || code(e) == SQLiteErrorCode.SQLITE_CONSTRAINT;
  }

  private static SQLiteErrorCode code(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode()); // without the extended part
  }
}
