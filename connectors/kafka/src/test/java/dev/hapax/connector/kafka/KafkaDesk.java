package dev.hapax.connector.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A client of a broker, loaded by tests in a class loader of its own, so that they know only a
 * function: what to do, and its arguments.
 */
public final class KafkaDesk implements BiFunction<String, List<Object>, Object> {
  private static final int LONG_MS = 90_000;

  private final Map<String, Object> settings;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Admin admin;
  private final List<Future<?>> sent = new ArrayList<>();

  public KafkaDesk(String server) {
    settings =
        Map.of("bootstrap.servers", server, "default.api.timeout.ms", LONG_MS, "client.id", "desk");
    admin = Admin.create(settings);
    var more = new HashMap<String, Object>(settings);
    more.remove("default.api.timeout.ms");
    more.put("acks", "all");
    more.put("max.block.ms", LONG_MS);
    more.put("max.request.size", 16 << 20);
    more.put("buffer.memory", 64L << 20);
    producer = new KafkaProducer<>(more, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public synchronized Object apply(String what, List<Object> arguments) {
    try {
      return switch (what) {
        case "create" -> create((String) arguments.get(0), (int) arguments.get(1));
        case "delete" -> delete((String) arguments.get(0));
        case "grow" -> grow((String) arguments.get(0), (int) arguments.get(1));
        case "send" ->
            sent.add(
                producer.send(
                    new ProducerRecord<>(
                        (String) arguments.get(0),
                        ((String) arguments.get(1)).getBytes(StandardCharsets.UTF_8),
                        (byte[]) arguments.get(2))));
        case "sendRaw" -> sendRaw(arguments);
        case "sendAt" ->
            sent.add(
                producer.send(
                    new ProducerRecord<>(
                        (String) arguments.get(0),
                        0,
                        (long) arguments.get(1),
                        null,
                        ((String) arguments.get(2)).getBytes(StandardCharsets.UTF_8))));
        case "sendTo" ->
            sent.add(
                producer.send(
                    new ProducerRecord<>(
                        (String) arguments.get(0),
                        (int) arguments.get(1),
                        null,
                        ((String) arguments.get(2)).getBytes(StandardCharsets.UTF_8))));
        case "forget" -> forget((String) arguments.get(0));
        case "rewind" ->
            rewind((String) arguments.get(0), (String) arguments.get(1), (long) arguments.get(2));
        case "positions" -> positions((String) arguments.get(0));
        case "flush" -> flush();
        case "waiting" -> waiting((String) arguments.get(0), (String) arguments.get(1));
        case "read" -> read((String) arguments.get(0), (int) arguments.get(1));
        case "close" -> close();
        default -> throw new IllegalArgumentException(what);
      };
    } catch (Exception e) {
      throw new IllegalStateException(what + ": " + e, e);
    }
  }

  private boolean create(String topic, int partitions) throws Exception {
    try {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
          .all()
          .get(LONG_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) { // after a repeated request
        throw e;
      }
    }
    return true;
  }

  private boolean delete(String topic) throws Exception {
    admin.deleteTopics(List.of(topic)).all().get(LONG_MS, TimeUnit.MILLISECONDS);
    return true;
  }

  /** Sets the group's position in the first partition, as if later commits had been lost. */
  private boolean rewind(String group, String topic, long to) throws Exception {
    var partition = new TopicPartition(topic, 0);
    OffsetAndMetadata now =
        Objects.requireNonNull(
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(LONG_MS, TimeUnit.MILLISECONDS)
                .get(partition));
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(partition, new OffsetAndMetadata(to, now.metadata())))
        .all()
        .get(LONG_MS, TimeUnit.MILLISECONDS);
    return true;
  }

  /** Deletes the group, as the broker does with one that was empty for some days. */
  private boolean forget(String group) throws Exception {
    long end = System.nanoTime() + Duration.ofMillis(LONG_MS).toNanos();
    while (true) {
      try {
        admin.deleteConsumerGroups(List.of(group)).all().get(LONG_MS, TimeUnit.MILLISECONDS);
        return true;
      } catch (ExecutionException e) { // a member is still leaving
        if (!(e.getCause() instanceof GroupNotEmptyException) || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private boolean grow(String topic, int partitions) throws Exception {
    admin
        .createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
        .all()
        .get(LONG_MS, TimeUnit.MILLISECONDS);
    return true;
  }

  @SuppressWarnings("unchecked") // a test has made them
  private boolean sendRaw(List<Object> arguments) {
    var record =
        new ProducerRecord<byte[], byte[]>(
            (String) arguments.get(0),
            ((Optional<byte[]>) arguments.get(1)).orElse(null),
            ((Optional<byte[]>) arguments.get(2)).orElse(null));
    ((Map<String, byte[]>) arguments.get(3))
        .forEach((name, value) -> record.headers().add(name, value));
    return sent.add(producer.send(record));
  }

  private int flush() throws Exception {
    producer.flush();
    for (Future<?> one : sent) {
      one.get();
    }
    int number = sent.size();
    sent.clear();
    return number;
  }

  /** Returns in how many partitions the group has a position. */
  private int positions(String group) throws Exception {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get(LONG_MS, TimeUnit.MILLISECONDS)
        .size();
  }

  private long waiting(String group, String topic) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> positions =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get(LONG_MS, TimeUnit.MILLISECONDS);
    var latest = new HashMap<TopicPartition, OffsetSpec>();
    Objects.requireNonNull(
            admin
                .describeTopics(List.of(topic))
                .allTopicNames()
                .get(LONG_MS, TimeUnit.MILLISECONDS)
                .get(topic))
        .partitions()
        .forEach(
            one -> latest.put(new TopicPartition(topic, one.partition()), OffsetSpec.latest()));
    long waiting = 0;
    for (var end : admin.listOffsets(latest).all().get(LONG_MS, TimeUnit.MILLISECONDS).entrySet()) {
      OffsetAndMetadata position = positions.get(end.getKey());
      waiting += end.getValue().offset() - (position == null ? 0 : position.offset());
    }
    return waiting;
  }

  /** Returns at least this many messages, each as partition, key, headers and body. */
  private List<List<Object>> read(String topic, int number) {
    var more = new HashMap<String, Object>(settings);
    more.put("enable.auto.commit", false);
    more.put("auto.offset.reset", "earliest");
    var found = new ArrayList<List<Object>>();
    try (var consumer =
        new KafkaConsumer<>(more, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(topic, one.partition()))
              .toList());
      long end = System.nanoTime() + Duration.ofMillis(LONG_MS).toNanos();
      while (found.size() < number && System.nanoTime() < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          var headers = new HashMap<String, String>();
          for (Header header : record.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
          }
          found.add(
              List.of(
                  record.partition(),
                  record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                  headers,
                  new String(record.value(), StandardCharsets.UTF_8)));
        }
      }
    }
    return found;
  }

  private boolean close() {
    producer.close(Duration.ofSeconds(1));
    admin.close(Duration.ofSeconds(1));
    return true;
  }
}
