package dev.hapax.connector.kafka;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.flows.queue.QueueTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic as a member of a group. A position is committed after the messages before it were
 * received, and never by itself. A message that was received, but whose position could not be
 * committed, comes again and is a duplicate.
 *
 * <p>A member that was away for too long may still receive messages that another member reads, too.
 * Both read them in their order and from a place that all messages before have been received at, so
 * the order holds.
 */
final class TopicConsumer implements QueueConsumer, ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(TopicConsumer.class);

  /** What one commit may have. */
  private static final long MOST_BYTES = 8L << 20;

  private static final Duration GLANCE = Duration.ofMillis(100);
  private static final Duration REMEMBERED = Duration.ofMinutes(1);
  private static final Duration PARTING = Duration.ofSeconds(2);

  private final Connection.Kafka connection;
  private final AddressGate gate;
  private final BrokerServices services;
  private final QueueTerms terms;
  private final GroupMemory memory;
  private final Beginnings beginnings;
  private final Map<TopicPartition, PositionMark> marks = new HashMap<>();
  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final Map<TopicPartition, Long> remembered = new HashMap<>();
  private final Set<TopicPartition> fresh = new HashSet<>();
  private long rememberedAt;
  private long rebalances;
  private long deletedUnread;
  private @Nullable Clients clients;
  private @Nullable TopicPlace place;
  private boolean isMisplaced;

  /** The library's clients; they are made when the consumer is used. */
  private record Clients(Admin admin, Consumer<byte[], byte[]> consumer) {}

  TopicConsumer(
      Connection.Kafka connection,
      AddressGate gate,
      BrokerServices services,
      QueueTerms terms,
      GroupMemory memory) {
    this.connection = connection;
    this.gate = gate;
    this.services = services;
    this.terms = terms;
    this.memory = memory;
    this.beginnings = new Beginnings(terms, memory);
  }

  private <T> T call(Callable<T> code) throws Exception {
    try {
      T answer = gate.call(code);
      gate.failIfRefused();
      return answer;
    } catch (Exception e) {
      if (isMisplaced) {
        close();
      }
      gate.failIfRefused();
      throw KafkaFailure.of(e, services.way());
    }
  }

  private Consumer<byte[], byte[]> reading() throws Exception {
    Clients open = clients;
    if (open == null) {
      Admin admin = Admin.create(KafkaSettings.admin(connection, services.way()));
      try {
        place = TopicPlace.find(admin, terms.queue());
        open =
            new Clients(
                admin,
                new KafkaConsumer<>(
                    KafkaSettings.consumer(connection, services.way(), terms),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer()));
      } catch (Exception | Error e) {
        admin.close(PARTING);
        throw e;
      }
      clients = open;
      open.consumer().subscribe(List.of(terms.queue()), this);
    }
    return open.consumer();
  }

  private Admin admin() {
    return Objects.requireNonNull(clients).admin();
  }

  private TopicPlace place() {
    return Objects.requireNonNull(place);
  }

  // ---- reading

  @Override
  public Polled poll(Duration atMost, Receiver receiver) throws Exception {
    return call(() -> read(atMost, receiver));
  }

  private Polled read(Duration atMost, Receiver receiver) throws Exception {
    Consumer<byte[], byte[]> reading = reading();
    if (services.ports().clock().nanos() - rememberedAt > REMEMBERED.toNanos()) {
      remember();
    }
    reading.resume(reading.paused());
    List<ConsumerRecord<byte[], byte[]>> records = next(reading, atMost);
    if (!records.isEmpty()) {
      var _ = sameTopic();
    }
    int at = 0;
    while (at < records.size()) {
      int end = endOfBatch(records, at);
      int received = 0;
      try {
        received =
            receiver.receive(records.subList(at, end).stream().map(this::messageOf).toList());
      } finally { // also after a failure of the store
        commit(reading, records.subList(at, at + received));
        at += received;
        if (at < end) {
          goBack(reading, records.subList(at, records.size()));
        }
      }
      if (at < end) {
        break;
      }
    }
    return new Polled(records.size(), at);
  }

  /** Returns records by partition, those of each in their order. */
  private List<ConsumerRecord<byte[], byte[]>> next(
      Consumer<byte[], byte[]> reading, Duration atMost) throws Exception {
    ConsumerRecords<byte[], byte[]> polled;
    try {
      polled = reading.poll(atMost);
    } catch (InvalidOffsetException e) {
      var _ = sameTopic();
      deletedUnread += beginnings.goOn(reading, e, committed);
      return List.of();
    }
    commitFresh(reading);
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (TopicPartition partition : polled.partitions()) {
      records.addAll(polled.records(partition));
    }
    return records;
  }

  /**
   * Returns the topic as it is now, if it is the one whose messages were read. The library reads on
   * in a topic that was made again, and its records do not say of which topic they are. The topic
   * was this one before they were fetched, and an id never comes back, so they are of this one.
   */
  private TopicPlace sameTopic() throws Exception {
    TopicPlace now = place().now(admin());
    if (!now.id().equals(place().id())) {
      throw new NotApplied("topic '%s' was deleted and made again".formatted(terms.queue()));
    }
    return now;
  }

  private static int endOfBatch(List<ConsumerRecord<byte[], byte[]>> records, int from) {
    long bytes = 0;
    int end = from;
    while (end < records.size()
        && (end == from || bytes + sizeOf(records.get(end)) <= MOST_BYTES)) {
      bytes += sizeOf(records.get(end++));
    }
    return end;
  }

  private static long sizeOf(ConsumerRecord<byte[], byte[]> record) {
    long size =
        (long) Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    for (Header header : record.headers()) {
      size += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return Math.min(size, QueueMessage.LARGEST);
  }

  private QueueMessage messageOf(ConsumerRecord<byte[], byte[]> record) {
    return RecordMessage.of(record, place().idOf(record.partition(), record.offset()));
  }

  private static TopicPartition partitionOf(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** Lets the next look begin at the first of these records of each partition. */
  private static void goBack(
      Consumer<byte[], byte[]> reading, List<ConsumerRecord<byte[], byte[]>> records) {
    var seen = new HashSet<TopicPartition>();
    Set<TopicPartition> assigned = reading.assignment();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      TopicPartition partition = partitionOf(record);
      if (seen.add(partition) && assigned.contains(partition)) {
        reading.seek(partition, new OffsetAndMetadata(record.offset(), record.leaderEpoch(), ""));
      }
    }
  }

  @Override
  public void keep() throws Exception {
    var _ =
        call(
            () -> {
              Consumer<byte[], byte[]> reading = reading();
              reading.pause(reading.assignment());
              List<ConsumerRecord<byte[], byte[]>> unwanted = next(reading, GLANCE);
              goBack(reading, unwanted); // of partitions that were assigned just now
              return true;
            });
  }

  // ---- positions

  private void commit(
      Consumer<byte[], byte[]> reading, List<ConsumerRecord<byte[], byte[]>> received) {
    var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (ConsumerRecord<byte[], byte[]> record : received) {
      TopicPartition partition = partitionOf(record);
      positions.put(
          partition,
          new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), markOf(partition)));
    }
    commit(reading, positions);
  }

  private void commit(
      Consumer<byte[], byte[]> reading, Map<TopicPartition, OffsetAndMetadata> positions) {
    if (positions.isEmpty()) {
      return;
    }
    try {
      reading.commitSync(positions, KafkaSettings.CALL);
      positions.forEach((partition, position) -> committed.put(partition, position.offset()));
    } catch (CommitFailedException | RebalanceInProgressException e) {
      log.info(
          "group '{}' was distributed anew before a position of topic '{}' was committed: these messages come again as duplicates",
          terms.group(),
          terms.queue());
    }
  }

  private String markOf(TopicPartition partition) {
    return marks
        .computeIfAbsent(partition, _ -> new PositionMark(place().id(), place().partitions()))
        .text();
  }

  /** The places where the group begins are positions, too. */
  private void commitFresh(Consumer<byte[], byte[]> reading) {
    if (fresh.isEmpty()) {
      return;
    }
    var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (TopicPartition partition : Set.copyOf(fresh)) {
      Long start = committed.get(partition);
      if (start != null && reading.assignment().contains(partition)) {
        positions.put(partition, new OffsetAndMetadata(start, markOf(partition)));
      }
    }
    fresh.clear();
    commit(reading, positions);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    forget(partitions); // what was received is committed already
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    forget(partitions);
  }

  private void forget(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      log.info("group '{}' takes {} from this consumer", terms.group(), partitions);
      rebalances++;
    }
    for (TopicPartition partition : partitions) {
      marks.remove(partition);
      committed.remove(partition);
      fresh.remove(partition);
    }
  }

  /**
   * Decides where the partitions begin. The library takes them for assigned even if this fails, and
   * would read them from anywhere; so the consumer is closed then, and joins the group anew.
   */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    Clients open = clients;
    if (partitions.isEmpty() || open == null) {
      return;
    }
    log.info("group '{}' gives {} to this consumer", terms.group(), partitions);
    rebalances++;
    isMisplaced = true;
    try {
      place = sameTopic();
      begin(open.consumer(), partitions);
      isMisplaced = false;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(
          "the position of group '%s' could not be read".formatted(terms.group()), e);
    }
  }

  private void begin(Consumer<byte[], byte[]> reading, Collection<TopicPartition> partitions) {
    Beginnings.Found found = beginnings.find(reading, place(), partitions);
    marks.putAll(found.marks());
    committed.putAll(found.kept());
    found
        .fresh()
        .forEach(
            (partition, offset) -> {
              reading.seek(partition, offset);
              committed.put(partition, offset);
              marks.remove(partition);
              fresh.add(partition);
            });
    remember(); // before anything is read from there
  }

  /** So that a group that the broker forgets can go on. */
  private void remember() {
    var positions = new HashMap<Integer, Long>();
    committed.forEach((partition, offset) -> positions.put(partition.partition(), offset));
    rememberedAt = services.ports().clock().nanos();
    if (!positions.isEmpty() && !committed.equals(remembered)) {
      memory.keep(
          place().name(), new GroupMemory.Known(place().id(), place().partitions(), positions));
      remembered.clear();
      remembered.putAll(committed);
    }
  }

  // ---- what people ask

  @Override
  public News news() {
    var news = new News(rebalances, deletedUnread);
    rebalances = 0;
    deletedUnread = 0;
    return news;
  }

  @Override
  public Long lag() throws Exception {
    return call(
        () -> {
          Consumer<byte[], byte[]> reading = reading();
          TopicPlace now = sameTopic();
          settle(reading);
          long lag = GroupPositions.lag(admin(), terms.group(), now);
          if (now.partitions() > place().partitions()) {
            log.info("topic '{}' has {} partitions now", terms.queue(), now.partitions());
            close(); // the next look learns of them at once, and not minutes later
          }
          return lag;
        });
  }

  /** Commits positions behind records that nobody sees, such as the ends of transactions. */
  private void settle(Consumer<byte[], byte[]> reading) {
    var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (TopicPartition partition : reading.assignment()) {
      Long before = committed.get(partition);
      if (before != null) {
        long position = positionOf(reading, partition, before);
        if (position > before) {
          positions.put(partition, new OffsetAndMetadata(position, markOf(partition)));
        }
      }
    }
    commit(reading, positions);
  }

  /** Returns the position before if the partition has no leader for a moment. */
  private static long positionOf(
      Consumer<byte[], byte[]> reading, TopicPartition partition, long before) {
    try {
      return reading.position(partition, GLANCE);
    } catch (TimeoutException e) {
      return before;
    }
  }

  @Override
  public boolean seeksAlone() {
    return true;
  }

  @Override
  public Long seek(Instant since) throws Exception {
    return call(
        () -> {
          try (Admin admin = Admin.create(KafkaSettings.admin(connection, services.way()))) {
            GroupPositions.awaitEmpty(admin, terms.group(), services.ports());
            return GroupPositions.seek(
                admin, terms.group(), TopicPlace.find(admin, terms.queue()), since, memory);
          }
        });
  }

  @Override
  public void close() {
    Clients open = clients;
    clients = null;
    if (open == null) {
      return;
    }
    try {
      remember();
    } catch (RuntimeException e) { // of the store: the last one is a minute old
      log.debug("the positions of group '{}' were not kept", terms.group(), e);
    }
    try {
      var _ =
          gate.call(
              () -> {
                open.consumer().close(CloseOptions.timeout(PARTING));
                return true;
              });
    } catch (Exception e) { // the broker misses its heartbeats, and gives the partitions to others
      log.debug("a consumer of group '{}' did not close well", terms.group(), e);
    } finally {
      open.admin().close(PARTING);
      forgetAll();
    }
  }

  /** The next clients get other partitions. */
  private void forgetAll() {
    marks.clear();
    committed.clear();
    remembered.clear();
    fresh.clear();
    isMisplaced = false;
  }
}
