package dev.hapax.store.postgres;

import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Provisional.NotWritten;
import dev.hapax.store.jdbc.ChangeDoesNotHold;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Refusals;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller's transaction in our database, in which we write as a guest. It keeps the settings that
 * it had. Anything that cannot be written is undone, so that the caller decides how to continue.
 */
final class CallersTransaction {
  /** How many rivals may come between a look and an insert. */
  private static final int MOST_RIVALS = 5;

  /** An error would end the transaction, so this first asks what is there. */
  private static final String SURROUNDINGS =
      "SELECT current_setting('search_path') WHERE to_regclass('%s.lease') IS NOT NULL"
          .formatted(PostgresConnections.SCHEMA);

  /**
   * No other database has a lease of this number. The path is changed for this transaction only.
   */
  private static final String ENTER =
      """
      SELECT cast(pg_current_xact_id() AS text), set_config('search_path', '%1$s', true)
      FROM %1$s.lease WHERE node = :node
      """
          .formatted(PostgresConnections.SCHEMA);

  private final Connection connection;
  private final PostgresLease lease;
  private final List<Prepared> opened = new ArrayList<>();
  private final Session session;
  private final Tables tables;

  private CallersTransaction(Connection connection, PostgresLease lease) throws SQLException {
    this.connection = connection;
    this.lease = lease;
    this.session = new Session(connection, new PostgresDialect(opened::add));
    this.tables =
        new Tables(session, PostgresKeyIndex.ofRuns(session), PostgresKeyIndex.ofEffects(session));
  }

  /**
   * The result of a write.
   *
   * @param transaction its number, by which the server knows its outcome; empty if nothing was
   *     written
   */
  record Written(GroupAnswer answer, String transaction) {}

  static Written write(Group group, Connection connection, PostgresLease lease) {
    if (!(group.head() instanceof Head.Insert(var _, var owner)) || owner != null) {
      throw new IllegalArgumentException("not a new run without an owner: " + group.head());
    }
    try {
      return new CallersTransaction(connection, lease).write(group);
    } catch (SQLException e) {
      throw new NotWritten(
          "the run could not be written in your transaction: " + e.getMessage(), e);
    }
  }

  private Written write(Group group) throws SQLException {
    if (!"PostgreSQL".equals(connection.getMetaData().getDatabaseProductName())) {
      throw elsewhere();
    }
    if (connection.getAutoCommit()) {
      throw new IllegalArgumentException(
          "the connection is in auto-commit mode, so there is no transaction to start a run in:"
              + " call connection.setAutoCommit(false) first");
    }
    try {
      String path = pathOfCaller();
      for (int rivals = 0; ; rivals++) {
        Written written = tryToWrite(group, path, rivals == MOST_RIVALS);
        if (written != null) {
          return written;
        }
      }
    } finally {
      for (Prepared statement : opened) {
        statement.close();
      }
    }
  }

  /** Returns null if a rival was faster: then the caller tries again. */
  private @Nullable Written tryToWrite(Group group, String path, boolean isLast)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      String transaction = enter();
      GroupAnswer answer = tables.write(group);
      leave(path);
      connection.releaseSavepoint(before);
      return new Written(answer, transaction);
    } catch (ChangeDoesNotHold e) {
      connection.rollback(before);
      return new Written(e.answer(), "");
    } catch (SQLException e) {
      connection.rollback(before);
      if (PostgresErrors.isRival(e) && !isLast) {
        return null;
      }
      if (PostgresErrors.isOfTheData(e)) {
        return new Written(Refusals.refused(group, e), "");
      }
      throw e;
    } catch (RuntimeException e) {
      connection.rollback(before);
      throw e;
    }
  }

  private String pathOfCaller() throws SQLException {
    String path = session.prepare(SURROUNDINGS).first(row -> row.text(1));
    if (path == null) {
      throw elsewhere();
    }
    return path;
  }

  private String enter() throws SQLException {
    String transaction = session.prepare(ENTER).with(lease.node()).first(row -> row.text(1));
    if (transaction == null) {
      throw elsewhere();
    }
    return transaction;
  }

  private static IllegalArgumentException elsewhere() {
    return new IllegalArgumentException(
        "the connection is not to the PostgreSQL database that Hapax uses: a run and your"
            + " own rows can be committed together only in that database");
  }

  private void leave(String path) throws SQLException {
    session
        .prepare("SELECT true FROM set_config('search_path', :path, true)")
        .with(path)
        .first(row -> row.flag(1));
  }
}
