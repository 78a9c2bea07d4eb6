package dev.hapax.connector.kafka;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What the group remembers beside a position in a partition: the id of the topic, since a position
 * means nothing in a later topic of the same name, and how many partitions the topic had when the
 * group began to read this one. A partition beyond that number was added later, and is read from
 * its first message.
 */
record PositionMark(String topic, int partitions) {
  private static final String WORD = "hapax/1";

  static @Nullable PositionMark of(@Nullable OffsetAndMetadata position) {
    String[] parts = position == null ? new String[0] : position.metadata().split(" ", -1);
    if (parts.length != 3 || !parts[0].equals(WORD) || !parts[2].matches("[0-9]{1,9}")) {
      return null; // another program has written the position
    }
    return new PositionMark(parts[1], Integer.parseInt(parts[2]));
  }

  String text() {
    return "%s %s %d".formatted(WORD, topic, partitions);
  }
}
