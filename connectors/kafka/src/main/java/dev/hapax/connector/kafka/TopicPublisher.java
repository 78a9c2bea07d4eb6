package dev.hapax.connector.kafka;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.QueuePublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes to topics. The producer is idempotent: what it repeats by itself, the broker has once.
 */
final class TopicPublisher implements QueuePublisher {
  private final AddressGate gate;
  private final BrokerWay way;
  private final Producer<byte[], byte[]> producer;
  private volatile boolean isBroken;

  TopicPublisher(Connection.Kafka connection, AddressGate gate, BrokerWay way) throws Exception {
    this.gate = gate;
    this.way = way;
    this.producer =
        gate.call(
            () ->
                new KafkaProducer<>(
                    KafkaSettings.producer(connection, way),
                    new ByteArraySerializer(),
                    new ByteArraySerializer()));
  }

  @Override
  public void publish(BrokerMessage message, Duration timeout) throws Exception {
    if (!KafkaBroker.isTopic(message.target())) {
      throw new Rejected("bad-topic", "'%s' is no name of a topic".formatted(message.target()));
    }
    try {
      var _ = gate.call(() -> send(message, timeout));
    } catch (Exception e) {
      gate.failIfRefused();
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      if (cause instanceof RecordTooLargeException) {
        throw new Rejected(
            "message-too-large",
            "the broker does not take a message of %,d bytes".formatted(message.body().length),
            e);
      }
      if (cause instanceof InvalidTopicException || cause instanceof InvalidRecordException) {
        throw new Rejected("bad-message", way.redact(String.valueOf(cause.getMessage())), e);
      }
      if (cause instanceof KafkaException && !(cause instanceof RetriableException)) {
        isBroken = true;
      }
      throw KafkaFailure.of(e, way);
    }
  }

  @Override
  public boolean isUsable() {
    return !isBroken;
  }

  /** Waits for the topic first: what fails until then has sent nothing. */
  private boolean send(BrokerMessage message, Duration timeout) throws Exception {
    try {
      if (producer.partitionsFor(message.target()).isEmpty()) {
        throw new NotApplied("topic '%s' has no partitions".formatted(message.target()));
      }
    } catch (TimeoutException e) {
      gate.failIfRefused();
      throw new NotApplied(
          way.redact(
              "nothing was sent to topic '%s': %s".formatted(message.target(), e.getMessage())),
          e);
    }
    var _ = producer.send(record(message)).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    return true;
  }

  private static ProducerRecord<byte[], byte[]> record(BrokerMessage message) {
    String key = message.key();
    var record =
        new ProducerRecord<byte[], byte[]>(
            message.target(), key == null ? null : bytes(key), message.body());
    Headers headers = record.headers();
    message.headers().forEach((name, value) -> headers.add(name, bytes(value)));
    headers.add(BrokerMessage.ID, bytes(message.id()));
    headers.add(BrokerMessage.TYPE, bytes(message.type()));
    return record;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(1));
  }
}
