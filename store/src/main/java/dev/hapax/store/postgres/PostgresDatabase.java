package dev.hapax.store.postgres;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.jdbc.Migrations;
import dev.hapax.store.jdbc.Session;
import java.sql.SQLException;

/**
 * Brings the database of a store to a state that can be trusted: it can keep our promises, and we
 * know the version of our tables. Anything else is refused before anything is changed.
 */
final class PostgresDatabase {
  /** Nodes that open the store at the same moment migrate it one after the other. */
  private static final String ONE_AT_A_TIME = "SELECT pg_advisory_lock(%d)".formatted(0x48617078);

  private PostgresDatabase() {}

  static void prepare(PostgresConnections connections) {
    try (Session session = connections.plain()) {
      PostgresConnections.refuseUnfit(session.connection());
      PostgresConnections.run(session.connection(), ONE_AT_A_TIME);
      if (isAbsent(session, "to_regnamespace('" + PostgresConnections.SCHEMA + "')")) {
        PostgresConnections.run(
            session.connection(), "CREATE SCHEMA " + PostgresConnections.SCHEMA);
      }
      var migrations = new Migrations(session, "BEGIN", PostgresDatabase.class);
      migrations.check(
          !isAbsent(session, "to_regclass('" + PostgresConnections.SCHEMA + ".migration')"));
      migrations.apply();
    } catch (SQLException e) {
      throw new StoreRefused("the database cannot be used: " + e.getMessage(), e);
    }
  }

  private static boolean isAbsent(Session session, String name) throws SQLException {
    return "t"
        .equals(PostgresConnections.text(session.connection(), "SELECT " + name + " IS NULL"));
  }
}
