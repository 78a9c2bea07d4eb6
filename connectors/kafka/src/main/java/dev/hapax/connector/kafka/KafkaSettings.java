package dev.hapax.connector.kafka;

import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.QueueTerms;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.security.scram.ScramLoginModule;

/** The settings of the library's clients. They contain the password, and are kept nowhere else. */
final class KafkaSettings {
  /** Of a call that a client repeats by itself. */
  static final Duration CALL = Duration.ofSeconds(20);

  private static final int REQUEST_MS = 10_000;

  /** A process that has died gives its partitions back after this time. */
  private static final int SESSION_MS = 10_000;

  /** A worker that does not come back for so long has lost its partitions. */
  private static final int ABSENT_MS = 300_000;

  /** What a broker sends at once; a larger message still comes, alone. */
  private static final int FETCHED_BYTES = 8 << 20;

  private static final int FETCHED_BYTES_OF_PARTITION = 2 << 20;

  /** The broker's own limit decides. */
  private static final int LARGEST_REQUEST = 64 << 20;

  private KafkaSettings() {}

  private static Map<String, Object> common(Connection.Kafka connection, BrokerWay way) {
    var settings = new HashMap<String, Object>();
    settings.put(
        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
        connection.servers().stream()
            .map(Connection.Kafka.Server::toString)
            .collect(Collectors.joining(",")));
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "hapax");
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
    settings.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, REQUEST_MS);
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 5_000);
    settings.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    boolean isEncrypted = connection.tls() == Connection.Encryption.VERIFIED;
    Connection.Kafka.Login login = connection.login();
    if (login == null) {
      settings.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, isEncrypted ? "SSL" : "PLAINTEXT");
      return settings;
    }
    settings.put(
        CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, isEncrypted ? "SASL_SSL" : "SASL_PLAINTEXT");
    settings.put(SaslConfigs.SASL_MECHANISM, login.mechanism().wire());
    settings.put(SaslConfigs.SASL_JAAS_CONFIG, jaas(login, password(connection, login, way)));
    return settings;
  }

  /** It must be allowed to go to each of the servers; the gate checks those that they name. */
  private static String password(
      Connection.Kafka connection, Connection.Kafka.Login login, BrokerWay way) {
    String password = "";
    for (Connection.Kafka.Server server : connection.servers()) {
      password =
          way.secret(
              login.secret(),
              server.host(),
              server.port(),
              connection.privateHosts(),
              connection.tls());
    }
    return password;
  }

  private static String jaas(Connection.Kafka.Login login, String password) {
    Class<?> module =
        login.mechanism() == Connection.Kafka.Mechanism.PLAIN
            ? PlainLoginModule.class
            : ScramLoginModule.class;
    return "%s required username=%s password=%s;"
        .formatted(module.getName(), quoted(login.user()), quoted(password));
  }

  /** As the library's reader of such texts wants it. */
  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r")
        + '"';
  }

  static Map<String, Object> consumer(
      Connection.Kafka connection, BrokerWay way, QueueTerms terms) {
    Map<String, Object> settings = common(connection, way);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, terms.group());
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, terms.batch());
    settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, ABSENT_MS);
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS);
    settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_MS / 4);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(CALL.toMillis()));
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCHED_BYTES);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCHED_BYTES_OF_PARTITION);
    settings.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        List.of(CooperativeStickyAssignor.class));
    return settings;
  }

  static Map<String, Object> admin(Connection.Kafka connection, BrokerWay way) {
    Map<String, Object> settings = common(connection, way);
    settings.put(
        CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(CALL.toMillis()));
    return settings;
  }

  static Map<String, Object> producer(Connection.Kafka connection, BrokerWay way) {
    Map<String, Object> settings = common(connection, way);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) REQUEST_MS);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(CALL.toMillis()));
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST);
    return settings;
  }
}
