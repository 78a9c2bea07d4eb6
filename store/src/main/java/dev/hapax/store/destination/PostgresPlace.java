package dev.hapax.store.destination;

import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A user's PostgreSQL database. This class builds the JDBC address, because an address written by a
 * user could load classes. The driver uses only the socket that it is given, and nothing that the
 * server's own user has: no password file, no certificates, no tickets.
 *
 * @param host its name, for messages
 * @param timeout of one statement
 * @param sockets opens a socket to the database, already encrypted if it should be; it also bounds
 *     the time and the bytes of an attempt
 */
public record PostgresPlace(
    String host,
    int port,
    String database,
    String user,
    @Nullable String password,
    Duration timeout,
    Supplier<Socket> sockets) {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

  public PostgresPlace {
    if (!HOST.matcher(host).matches()) {
      throw new IllegalArgumentException("host: expected a name or an address, got '" + host + "'");
    }
  }

  Connection connect() throws SQLException {
    Socket socket = sockets.get();
    boolean isOpen = false;
    try {
      Connection connection = connect(new PostgresSocket(socket));
      isOpen = true;
      return connection;
    } catch (IOException e) {
      throw new SQLException("the connection broke: " + e.getMessage(), "08006", e);
    } finally {
      if (!isOpen) {
        close(socket);
      }
    }
  }

  private Connection connect(PostgresSocket socket) throws SQLException {
    var info = new Properties();
    info.setProperty("user", user);
    // Without a password, the driver would look for one in the files of the server's user.
    info.setProperty("password", password == null ? "" : password);
    info.setProperty("ApplicationName", "hapax");
    info.setProperty("socketFactory", GivenSocket.class.getName());
    info.setProperty("loginTimeout", "0"); // else it connects on another thread
    info.setProperty("sslmode", "disable"); // the socket is encrypted already
    info.setProperty("gssEncMode", "disable");
    info.setProperty("jaasLogin", "false");
    info.setProperty("maxResultBuffer", Integer.toString(PostgresFrames.MOST_ROW_BYTES));
    info.setProperty("options", "-c statement_timeout=" + Math.max(1, timeout.toMillis()));
    String name = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
    String address = "jdbc:postgresql://%s:%d/%s".formatted(host, port, name);
    return GivenSocket.with(socket, () -> DriverManager.getConnection(address, info));
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is abandoned anyway
    }
  }

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "%s@%s:%d/%s".formatted(user, host, port, database);
  }
}
