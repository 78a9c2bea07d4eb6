package dev.hapax.app.queue;

import dev.hapax.testkit.fault.PostgresServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table of a real PostgreSQL server. */
final class TableTestBroker implements TestBroker {
  private final PostgresServer server;
  private final String database;
  private final List<String> unsent = new ArrayList<>();
  private boolean isHostile;

  TableTestBroker(PostgresServer server) throws SQLException {
    this.server = server;
    this.database = server.newDatabase();
    execute(
        """
        CREATE TABLE outbox (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          message jsonb NOT NULL,
          read_at timestamptz
        )
        """);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How many messages are not acknowledged. */
  String left() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT count(*) FROM outbox WHERE read_at IS NULL")) {
      found.next();
      return found.getString(1);
    }
  }

  @Override
  public String connection() {
    URI url = URI.create(database.substring("jdbc:".length()));
    return """
    {"postgres": {"host": "%1$s", "port": %2$d, "database": "%3$s", "user": "%4$s", "tls": "none", "privateHosts": ["%1$s"]}}\
    """
        .formatted(
            url.getHost(),
            url.getPort(),
            url.getPath().substring(1),
            url.getQuery().replaceAll(".*user=([^&]+).*", "$1"));
  }

  @Override
  public String trigger() {
    return "queue: outbox, done: read_at";
  }

  @Override
  public String message() {
    return "event.body.message";
  }

  @Override
  public void send(String key, byte[] body) {
    unsent.add(new String(body, StandardCharsets.UTF_8));
  }

  /** The primary key becomes a text, and the message a document as its sender wrote it. */
  @Override
  public boolean sendHostile(HostileMessages.Hostile message) throws SQLException {
    if (!isHostile) {
      execute(
          """
          ALTER TABLE outbox ALTER id DROP IDENTITY;
          ALTER TABLE outbox ALTER id TYPE text, ALTER message TYPE json,
            ALTER message DROP NOT NULL;
          CREATE SEQUENCE honest;
          ALTER TABLE outbox ALTER id SET DEFAULT '~' || lpad(nextval('honest')::text, 9, '0')
          """);
      isHostile = true;
    }
    String id = message.id().replace("\0", "\u0001");
    byte[] body = message.body();
    String text = body == null ? null : new String(body, StandardCharsets.UTF_8);
    return insert(id, text, "?::json")
        || (text != null && insert(id, text.replace("\0", ""), "to_json(?::text)"));
  }

  private boolean insert(String id, @Nullable String body, String value) {
    try (Connection connection = DriverManager.getConnection(database);
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox (id, message) VALUES (?, %s) ON CONFLICT DO NOTHING"
                    .formatted(value))) {
      insert.setString(1, id);
      insert.setString(2, body);
      return insert.executeUpdate() == 1;
    } catch (SQLException e) { // the database takes no such text
      return false;
    }
  }

  @Override
  public void flush() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO outbox (message) VALUES (?::json)")) {
      connection.setAutoCommit(false);
      for (String message : unsent) {
        insert.setString(1, message);
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    }
    unsent.clear();
  }

  @Override
  public long waiting() throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery("SELECT count(*) FROM outbox WHERE read_at IS NULL")) {
      count.next();
      return count.getLong(1);
    }
  }

  @Override
  public boolean carriesAnyBytes() {
    return false;
  }

  @Override
  public void crash() {
    server.crash();
    server.restart();
  }

  /** The server is shared; it ends with the process. */
  @Override
  public void close() {}
}
