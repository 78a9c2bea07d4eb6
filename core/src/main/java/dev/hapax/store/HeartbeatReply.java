package dev.hapax.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store's reply to a node's heartbeat.
 *
 * @param again when to report again; null if never, because no other node can use the store
 * @param adopted runs that belong to this node from now on, because their owner is gone
 * @param canceled runs of this node that are to be canceled
 * @param nextDue when the first run without an owner is due, or was; null if none is
 * @param nodes how many nodes can write, including this one
 */
public record HeartbeatReply(
    @Nullable Duration again,
    List<Long> adopted,
    List<Long> canceled,
    @Nullable Instant nextDue,
    int nodes) {

  /** For a store that one process at a time uses: all others are gone. */
  public static HeartbeatReply alone(List<Long> adopted) {
    return new HeartbeatReply(null, adopted, List.of(), null, 1);
  }
}
