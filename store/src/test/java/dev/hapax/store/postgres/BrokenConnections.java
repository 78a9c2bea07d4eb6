package dev.hapax.store.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Connections that change what the client says to the server, or what it answers. */
final class BrokenConnections {
  private BrokenConnections() {}

  /** What is done instead of a commit. */
  @FunctionalInterface
  interface Commit {
    void of(Connection connection) throws SQLException;
  }

  /** As it should be. */
  static final Commit AS_IT_IS = Connection::commit;

  static PostgresConnections.Source of(
      DataSource database, UnaryOperator<String> statements, Commit commit) {
    return () -> broken(database.getConnection(), statements, commit);
  }

  private static Connection broken(
      Connection connection, UnaryOperator<String> statements, Commit commit) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("commit")) {
                commit.of(connection);
                return null;
              }
              if (method.getName().equals("prepareStatement")) {
                arguments[0] = statements.apply((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
