package dev.hapax;

import dev.hapax.flow.RunStatus;
import dev.hapax.run.Tombstone;
import java.time.Instant;

/**
 * Thrown if the key had a run that ended so long ago that its record has expired. The work was done
 * once and is not done again.
 */
public final class KeyExpired extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Tombstone tombstone;

  KeyExpired(Tombstone tombstone) {
    super(
        "run %s ended as %s at %s and its record has expired. A new run could repeat its work and was not started: use another key, forget this key, or give the flow .afterRetention(NEW)."
            .formatted(tombstone.id(), tombstone.status().word(), tombstone.endedAt()));
    this.tombstone = tombstone;
  }

  /** Returns the problem's name in the public contract. */
  public String code() {
    return "key-expired";
  }

  public String runId() {
    return tombstone.id().toString();
  }

  public RunStatus status() {
    return tombstone.status();
  }

  public Instant endedAt() {
    return tombstone.endedAt();
  }
}
