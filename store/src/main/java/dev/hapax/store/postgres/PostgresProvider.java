package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Threads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Provides the store for {@code Hapax.open(dataSource)} and {@code Hapax.open(url)}. */
public final class PostgresProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:postgresql:";

  /**
   * So that a machine that is gone is noticed while a connection opens; an address may say more.
   */
  private static final Map<String, String> UNLESS_SAID =
      Map.of("connectTimeout", "3", "socketTimeout", "10", "tcpKeepAlive", "true");

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
    var settings = new Properties();
    settings.putAll(UNLESS_SAID);
    try {
      return DriverManager.getConnection(url, settings);
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
