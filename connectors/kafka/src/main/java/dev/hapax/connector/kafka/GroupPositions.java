package dev.hapax.connector.kafka;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The positions of a group, as the cluster has them. */
final class GroupPositions {
  /** Each node hears within a second that it should leave; one may wait after a failure. */
  private static final Duration LONGEST_PARTING = Duration.ofSeconds(40);

  private static final Duration PAUSE = Duration.ofMillis(200);

  private GroupPositions() {}

  private static <T> T get(KafkaFuture<T> answer) throws Exception {
    return answer.get(KafkaSettings.CALL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Map<TopicPartition, OffsetAndMetadata> committed(Admin admin, String group)
      throws Exception {
    return get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  private static Map<TopicPartition, Long> offsets(Admin admin, TopicPlace place, OffsetSpec which)
      throws Exception {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    place.all().forEach(partition -> wanted.put(partition, which));
    var found = new HashMap<TopicPartition, Long>();
    Map<TopicPartition, ListOffsetsResultInfo> answers =
        get(admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all());
    answers.forEach((partition, offset) -> found.put(partition, offset.offset()));
    return found;
  }

  /** Returns how many messages of all partitions wait for the group. */
  static long lag(Admin admin, String group, TopicPlace place) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> positions = committed(admin, group);
    long lag = 0;
    for (var end : offsets(admin, place, OffsetSpec.latest()).entrySet()) {
      OffsetAndMetadata position = positions.get(end.getKey());
      lag += position == null ? 0 : Math.max(0, end.getValue() - position.offset());
    }
    return lag;
  }

  /** Waits until no consumer of the group is open: the cluster moves no position before. */
  static void awaitEmpty(Admin admin, String group, Ports ports) throws Exception {
    long end = ports.clock().nanos() + LONGEST_PARTING.toNanos();
    int members = members(admin, group);
    while (members > 0) {
      if (ports.clock().nanos() - end > 0) {
        throw new NotApplied(
            "group '%s' still has %d consumers, so its position cannot be changed; another program reads in it, or a node does not answer"
                .formatted(group, members));
      }
      var _ = ports.threads().signal().await(PAUSE);
      members = members(admin, group);
    }
  }

  private static int members(Admin admin, String group) throws Exception {
    try {
      ConsumerGroupDescription found =
          get(
              Objects.requireNonNull(
                  admin.describeConsumerGroups(List.of(group)).describedGroups().get(group)));
      return found.members().size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return 0;
      }
      throw e;
    }
  }

  /** Times before 1970 are other words in the protocol: -1 is the end of the partition. */
  private static OffsetSpec firstSince(Instant since) {
    return since.isAfter(Instant.EPOCH)
        ? OffsetSpec.forTimestamp(since.toEpochMilli())
        : OffsetSpec.earliest();
  }

  /**
   * Moves the group back to the first messages since a time, and returns how many come again.
   *
   * @param memory learns of it first, so that no message is left out if the broker forgets the
   *     group right then
   */
  static long seek(Admin admin, String group, TopicPlace place, Instant since, GroupMemory memory)
      throws Exception {
    Map<TopicPartition, OffsetAndMetadata> before = committed(admin, group);
    Map<TopicPartition, Long> ends = offsets(admin, place, OffsetSpec.latest());
    var wanted = new HashMap<TopicPartition, OffsetAndMetadata>();
    long again = 0;
    for (var found : offsets(admin, place, firstSince(since)).entrySet()) {
      TopicPartition partition = found.getKey();
      OffsetAndMetadata position = before.get(partition);
      PositionMark mark = PositionMark.of(position);
      long offset = found.getValue() < 0 ? ends.getOrDefault(partition, 0L) : found.getValue();
      if (position != null && offset >= position.offset()) {
        continue; // never forward: that would leave messages out
      }
      again += position == null ? 0 : position.offset() - offset;
      PositionMark kept = mark == null ? new PositionMark(place.id(), place.partitions()) : mark;
      wanted.put(partition, new OffsetAndMetadata(offset, kept.text()));
    }
    if (!wanted.isEmpty()) {
      var positions = new HashMap<Integer, Long>();
      wanted.forEach((partition, to) -> positions.put(partition.partition(), to.offset()));
      memory.keep(place.name(), new GroupMemory.Known(place.id(), place.partitions(), positions));
      var _ = get(admin.alterConsumerGroupOffsets(group, wanted).all());
    }
    return again;
  }
}
