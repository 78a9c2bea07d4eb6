package dev.hapax.connector.rabbitmq;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueBroker;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueuePublisher;
import dev.hapax.flows.queue.QueueTerms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** RabbitMQ by AMQP 0-9-1. */
final class RabbitBroker implements QueueBroker {
  /** The longest name in AMQP. */
  private static final int LONGEST_NAME = 255;

  private final BrokerServices services;

  RabbitBroker(BrokerServices services) {
    this.services = services;
  }

  @Override
  public boolean serves(Connection connection) {
    return connection instanceof Connection.RabbitMq;
  }

  @Override
  public @Nullable String problem(QueueTerms terms) {
    String queue = terms.queue();
    if (queue.isBlank() || queue.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      return "queue: expected the name of a queue of at most 255 bytes, got '%s'".formatted(queue);
    }
    return terms.unfit("RabbitMQ", false, false);
  }

  @Override
  public QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory) {
    return new RabbitConsumer(() -> link(connection), terms);
  }

  @Override
  public QueuePublisher publisher(Connection connection) throws Exception {
    return new RabbitPublisher(link(connection), services.ports().clock());
  }

  @Override
  public String visit(Connection connection, Duration timeout) throws Exception {
    try (RabbitLink link = link(connection)) {
      Map<String, Object> server = link.server();
      return "%s %s".formatted(server.get("product"), server.get("version"));
    }
  }

  private RabbitLink link(Connection connection) throws Exception {
    return RabbitLink.open(services.way(), (Connection.RabbitMq) connection);
  }
}
