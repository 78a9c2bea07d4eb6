package dev.hapax.connector.kafka;

import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueBroker;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueuePublisher;
import dev.hapax.flows.queue.QueueTerms;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/** Reads topics of Kafka clusters, and publishes to them. */
final class KafkaBroker implements QueueBroker {
  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");

  private final BrokerServices services;

  KafkaBroker(BrokerServices services) {
    this.services = services;
  }

  static boolean isTopic(String name) {
    return TOPIC.matcher(name).matches();
  }

  @Override
  public boolean serves(Connection connection) {
    return connection instanceof Connection.Kafka;
  }

  @Override
  public @Nullable String problem(QueueTerms terms) {
    if (!isTopic(terms.queue())) {
      return "queue: expected the name of a topic, of letters, digits, '.', '_' and '-', got '%s'"
          .formatted(terms.queue());
    }
    return terms.unfit("a topic of Kafka", true, false);
  }

  @Override
  public QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory) {
    var kafka = (Connection.Kafka) connection;
    return new TopicConsumer(kafka, new AddressGate(way(), kafka), services, terms, memory);
  }

  @Override
  public QueuePublisher publisher(Connection connection) throws Exception {
    var kafka = (Connection.Kafka) connection;
    return new TopicPublisher(kafka, new AddressGate(way(), kafka), way());
  }

  @Override
  public String visit(Connection connection, Duration timeout) throws Exception {
    var kafka = (Connection.Kafka) connection;
    var gate = new AddressGate(way(), kafka);
    try {
      return gate.call(() -> visit(kafka, timeout));
    } catch (Exception e) {
      gate.failIfRefused();
      throw KafkaFailure.of(e, way());
    }
  }

  private String visit(Connection.Kafka kafka, Duration timeout) throws Exception {
    Admin admin = Admin.create(KafkaSettings.admin(kafka, way()));
    try {
      DescribeClusterResult cluster = admin.describeCluster();
      long most = timeout.toMillis();
      Collection<Node> nodes = cluster.nodes().get(most, TimeUnit.MILLISECONDS);
      for (Node node : nodes) {
        var _ = AddressGate.resolve(node.host());
      }
      return "cluster %s with the brokers %s"
          .formatted(
              cluster.clusterId().get(most, TimeUnit.MILLISECONDS),
              nodes.stream()
                  .map(node -> node.host() + ":" + node.port())
                  .collect(Collectors.joining(", ")));
    } finally {
      admin.close(Duration.ofSeconds(1));
    }
  }

  private BrokerWay way() {
    return services.way();
  }
}
