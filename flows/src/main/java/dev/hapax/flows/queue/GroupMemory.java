package dev.hapax.flows.queue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a group has read, in the server's own store. Brokers forget the position of a group in
 * which nobody reads for some days, or a person deletes it; then the group goes on from here. Safe
 * for many threads and nodes.
 */
public interface GroupMemory {
  /**
   * What a group has read of a topic.
   *
   * @param topic its id: a topic that was made again is another one
   * @param partitions how many it had when the group began; others were added later
   * @param positions the next message of each partition
   */
  record Known(String topic, int partitions, Map<Integer, Long> positions) {}

  /**
   * Returns what is known; null if the group has not begun.
   *
   * @param place the topic's name and its cluster
   */
  @Nullable Known recall(String place);

  /** Keeps these positions beside those of other partitions; it is durable when this returns. */
  void keep(String place, Known now);

  /** Shows people what was found out about the queue. */
  void tell(String notice);
}
