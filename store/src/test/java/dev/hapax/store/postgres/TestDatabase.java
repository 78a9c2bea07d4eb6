package dev.hapax.store.postgres;

import dev.hapax.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/** A database per test class on the tests' own server; a test that can have none is skipped. */
final class TestDatabase {
  private static final Map<Class<?>, DataSource> DATABASES = new ConcurrentHashMap<>();

  /** Deleting is faster than TRUNCATE as long as there are few rows, and than a new database. */
  private static final String EMPTY =
      """
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'hapax' LOOP
          IF name = 'meta' THEN
            UPDATE hapax.meta SET value = 0 WHERE meta.name IN ('newest_at', 'fence', 'kv_version', 'runs_expired',
                'tombstones_ended', 'effects_expired', 'effect_tombstones_ended', 'runs_searched_before',
                'effects_searched_before');
          ELSIF name <> 'migration' THEN EXECUTE 'DELETE FROM hapax.' || name;
          END IF;
        END LOOP;
      END $$
      """;

  private TestDatabase() {}

  /** The database of this class, without a row. */
  static DataSource empty(Class<?> test) {
    DataSource source = DATABASES.computeIfAbsent(test, _ -> source(freshUrl()));
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(EMPTY);
    } catch (SQLException e) {
      throw new IllegalStateException("the database could not be emptied", e);
    }
    return source;
  }

  /** The address of a new one. */
  static String freshUrl() {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    return PostgresServer.shared().newDatabase();
  }

  static DataSource source(String url) {
    var source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }
}
