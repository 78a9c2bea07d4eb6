package dev.hapax.flows.queue;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.WayOut;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads tables of PostgreSQL databases as queues: a row is a message. */
public final class TableBroker implements QueueBroker {
  /** Of one transaction, which also waits for the commit of what was read. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final WayOut wayOut;

  public TableBroker(WayOut wayOut) {
    this.wayOut = wayOut;
  }

  @Override
  public boolean serves(Connection connection) {
    return connection instanceof Connection.Postgres;
  }

  @Override
  public @Nullable String problem(QueueTerms terms) {
    if (!TableName.isValid(terms.queue())) {
      return "queue: expected the name of a table such as orders_outbox or shop.orders_outbox, got '%s'"
          .formatted(terms.queue());
    }
    return terms.unfit("a table", false, true);
  }

  @Override
  public QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory) {
    var postgres = (Connection.Postgres) connection;
    return new TableConsumer(() -> database(postgres), terms);
  }

  private SqlDatabase database(Connection.Postgres connection) {
    return wayOut.database(connection, TIMEOUT);
  }

  @Override
  public QueuePublisher publisher(Connection connection) {
    throw new UnsupportedOperationException("rows of a table are inserted by a 'db' step");
  }

  @Override
  public String visit(Connection connection, Duration timeout) throws Exception {
    var _ = wayOut.database((Connection.Postgres) connection, timeout).run("SELECT 1", Map.of());
    return "SELECT 1";
  }
}
