package dev.hapax.store;

import java.time.Duration;
import java.util.List;

/**
 * The groups of one transaction. An immutable value, so that it can be submitted again unchanged.
 *
 * @param patience how long to wait for a lock of another transaction, before the group that needs
 *     it is answered {@link GroupAnswer.Blocked}; all other groups of the batch wait too
 */
public record Batch(List<Group> groups, Duration patience) {

  /** Longer than nearly every transaction of another node takes. */
  public static final Duration USUAL_PATIENCE = Duration.ofMillis(250);

  public Batch(List<Group> groups) {
    this(groups, USUAL_PATIENCE);
  }
}
