package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Threads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Provides the store for {@code Hapax.open(dataSource)} and {@code Hapax.open(url)}. */
public final class PostgresProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:postgresql:";

  @Override
  public Store open(DataSource connections, Threads threads) {
    return new PostgresStore(connections::getConnection, threads);
  }

  /** Uses no pool: the store keeps its few connections open. */
  @Override
  public @Nullable Store open(String url, Threads threads) {
    return url.startsWith(PREFIX) ? new PostgresStore(() -> connect(url), threads) : null;
  }

  /** The driver repeats an address that it cannot parse, which may contain a password. */
  private static Connection connect(String url) throws SQLException {
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains(url)) {
        throw new SQLException(
            "its address cannot be read; expected jdbc:postgresql://host:port/database",
            e.getSQLState());
      }
      throw e;
    }
  }
}
