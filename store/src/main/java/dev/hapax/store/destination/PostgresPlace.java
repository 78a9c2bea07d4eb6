package dev.hapax.store.destination;

import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A user's PostgreSQL database. This class builds the JDBC address, because an address written by a
 * user could load classes. The socket connects to one of the given addresses, even if the name
 * resolves to another one by then.
 *
 * @param host its name, which its certificate must contain
 * @param timeout of one statement
 */
public record PostgresPlace(
    String host,
    List<InetAddress> addresses,
    int port,
    String database,
    String user,
    @Nullable String password,
    Tls tls,
    Duration timeout) {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");
  private static final Duration TO_CONNECT = Duration.ofSeconds(10);

  /** How a connection is encrypted. */
  public enum Tls {
    /** The certificate must be the host's. */
    VERIFIED,
    /** Encrypted, but the certificate is not checked. */
    REQUIRED,
    /** Not encrypted: for a database on the same machine. */
    NONE
  }

  public PostgresPlace {
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("host: expected a name or an address, got '" + host + "'");
    }
  }

  Connection connect() throws SQLException {
    var info = new Properties();
    info.setProperty("user", user);
    if (password != null) {
      info.setProperty("password", password);
    }
    info.setProperty("ApplicationName", "hapax");
    info.setProperty("socketFactory", PinnedSockets.class.getName());
    info.setProperty(
        "socketFactoryArg",
        addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(",")));
    info.setProperty("connectTimeout", Long.toString(TO_CONNECT.toSeconds()));
    info.setProperty("loginTimeout", Long.toString(TO_CONNECT.toSeconds()));
    info.setProperty("socketTimeout", Long.toString(timeout.toSeconds() + 5));
    info.setProperty("options", "-c statement_timeout=" + Math.max(1, timeout.toMillis()));
    switch (tls) {
      case VERIFIED -> {
        info.setProperty("sslmode", "verify-full");
        info.setProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
      }
      case REQUIRED -> info.setProperty("sslmode", "require");
      case NONE -> info.setProperty("sslmode", "disable");
    }
    String name = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%d/%s".formatted(host, port, name), info);
  }

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "%s@%s:%d/%s".formatted(user, host, port, database);
  }
}
