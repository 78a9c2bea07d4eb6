package dev.hapax.connector.kafka;

import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueStart;
import dev.hapax.flows.queue.QueueTerms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a member of a group begins to read the partitions that it was given. */
final class Beginnings {
  private static final Logger log = LoggerFactory.getLogger(Beginnings.class);

  private final QueueTerms terms;
  private final GroupMemory memory;

  /**
   * Where the partitions begin.
   *
   * @param kept positions that the broker has
   * @param marks what the group remembers beside them
   * @param fresh positions that the broker does not have
   */
  record Found(
      Map<TopicPartition, Long> kept,
      Map<TopicPartition, PositionMark> marks,
      Map<TopicPartition, Long> fresh) {}

  Beginnings(QueueTerms terms, GroupMemory memory) {
    this.terms = terms;
    this.memory = memory;
  }

  Found find(
      Consumer<byte[], byte[]> reading, TopicPlace place, Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> positions = reading.committed(Set.copyOf(place.all()));
    GroupMemory.Known known = memory.recall(place.name());
    GroupMemory.Known same = known != null && known.topic().equals(place.id()) ? known : null;
    var found = new Found(new HashMap<>(), new HashMap<>(), new HashMap<>());
    var forgotten = new ArrayList<TopicPartition>();
    var outdated = new ArrayList<TopicPartition>();
    var without = new ArrayList<TopicPartition>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata position = positions.get(partition);
      PositionMark mark = PositionMark.of(position);
      Long kept = same == null ? null : same.positions().get(partition.partition());
      if (position == null && kept != null) {
        forgotten.add(partition);
        found.fresh().put(partition, kept);
      } else if (position == null && (known == null || same != null)) {
        without.add(partition);
      } else if (position == null || (mark != null && !mark.topic().equals(place.id()))) {
        outdated.add(partition);
      } else {
        found.kept().put(partition, position.offset());
        if (mark != null) {
          found.marks().put(partition, mark);
        }
      }
    }
    if (!forgotten.isEmpty()) {
      tellForgotten(forgotten);
    }
    if (!outdated.isEmpty()) {
      log.warn(
          "topic '{}' was deleted and made again: group '{}' begins at its first message",
          terms.queue(),
          terms.group());
      found.fresh().putAll(reading.beginningOffsets(outdated));
    }
    if (!without.isEmpty()) {
      int atBeginning = partitionsAtBeginning(place, positions, same);
      found.fresh().putAll(starts(reading, without, atBeginning));
    }
    return found;
  }

  private void tellForgotten(List<TopicPartition> partitions) {
    String notice =
        "the broker has no position of group '%s' in %s any more: it goes on where this server last kept it, and the inbox stops what comes again"
            .formatted(terms.group(), partitions);
    log.error(notice);
    memory.tell(notice);
  }

  private Map<TopicPartition, Long> starts(
      Consumer<byte[], byte[]> reading, List<TopicPartition> partitions, int known) {
    QueueStart from = terms.from() == null ? QueueStart.LATEST : terms.from();
    List<TopicPartition> added =
        partitions.stream().filter(partition -> partition.partition() >= known).toList();
    List<TopicPartition> others =
        partitions.stream().filter(partition -> partition.partition() < known).toList();
    var starts = new HashMap<TopicPartition, Long>();
    if (from.isEarliest()) {
      starts.putAll(reading.beginningOffsets(partitions));
      return starts;
    }
    if (!added.isEmpty()) {
      starts.putAll(reading.beginningOffsets(added));
    }
    if (!others.isEmpty()) {
      starts.putAll(reading.endOffsets(others));
      Instant time = from.time();
      if (time != null) {
        starts.putAll(atTime(reading, others, time));
      }
    }
    return starts;
  }

  /**
   * Returns how many partitions the topic had when the group began; a partition beyond that was
   * added later, and each of its messages is new.
   */
  private static int partitionsAtBeginning(
      TopicPlace place,
      Map<TopicPartition, OffsetAndMetadata> positions,
      GroupMemory.@Nullable Known kept) {
    int least = kept == null ? Integer.MAX_VALUE : kept.partitions();
    for (OffsetAndMetadata position : positions.values()) {
      PositionMark mark = PositionMark.of(position);
      if (mark != null && mark.topic().equals(place.id())) {
        least = Math.min(least, mark.partitions());
      }
    }
    return least;
  }

  private static Map<TopicPartition, Long> atTime(
      Consumer<byte[], byte[]> reading, List<TopicPartition> partitions, Instant time) {
    var times = new HashMap<TopicPartition, Long>();
    partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
    var found = new HashMap<TopicPartition, Long>();
    reading
        .offsetsForTimes(times)
        .forEach(
            (partition, offset) -> {
              OffsetAndTimestamp there = offset;
              if (there != null) {
                found.put(partition, there.offset());
              }
            });
    return found;
  }

  /**
   * The broker has deleted messages that were not read yet, or has lost some that were.
   *
   * @return how many were deleted, as far as that is known
   */
  long goOn(
      Consumer<byte[], byte[]> reading,
      InvalidOffsetException why,
      Map<TopicPartition, Long> committed) {
    if (why instanceof LogTruncationException truncated) {
      log.error(
          "topic '{}' has lost messages that it had promised to keep: group '{}' goes on at {}",
          terms.queue(),
          terms.group(),
          truncated.divergentOffsets());
      truncated
          .divergentOffsets()
          .forEach((partition, position) -> reading.seek(partition, position.offset()));
      return 0;
    }
    long deleted = 0;
    Map<TopicPartition, Long> first = reading.beginningOffsets(why.partitions());
    Map<TopicPartition, Long> last = reading.endOffsets(why.partitions());
    for (TopicPartition partition : why.partitions()) {
      Long next = committed.get(partition);
      long begin = first.getOrDefault(partition, 0L);
      long end = last.getOrDefault(partition, begin);
      if (next != null && next > end) {
        log.error(
            "partition {} ends at {}, before the position {} of group '{}', which goes on there",
            partition,
            end,
            next,
            terms.group());
        reading.seek(partition, end);
      } else {
        log.error(
            "the broker has deleted messages of partition {} that group '{}' has not read: {} to {}",
            partition,
            terms.group(),
            next,
            begin);
        deleted += next == null ? 1 : begin - next; // at least one
        reading.seek(partition, begin);
      }
    }
    return deleted;
  }
}
