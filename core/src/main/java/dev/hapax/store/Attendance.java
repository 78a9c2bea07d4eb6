package dev.hapax.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node hears when it attends.
 *
 * @param again when to attend again; null if never, because nobody else can use the store
 * @param adopted runs that are this node's from now on, because their owner is gone
 * @param canceled runs of this node that somebody asked to cancel
 * @param nextDue when the first run without an owner is due, or was; null if none is
 * @param nodes how many can write, this one included
 */
public record Attendance(
    @Nullable Duration again,
    List<Long> adopted,
    List<Long> canceled,
    @Nullable Instant nextDue,
    int nodes) {

  /** For a store that one process at a time uses: all others are gone. */
  public static Attendance alone(List<Long> adopted) {
    return new Attendance(null, adopted, List.of(), null, 1);
  }
}
