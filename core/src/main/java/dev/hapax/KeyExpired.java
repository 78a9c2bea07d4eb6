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

  private KeyExpired(Tombstone tombstone, String consequence) {
    super(
        "run %s ended as %s at %s and its record has expired. %s"
            .formatted(
                tombstone.id(), tombstone.status().word(), tombstone.endedAt(), consequence));
    this.tombstone = tombstone;
  }

  /** Somebody wants to start a run under its key. */
  static KeyExpired atStart(Tombstone tombstone) {
    return new KeyExpired(
        tombstone,
        "A new run could repeat its work and was not started: use another key, forget this key, or"
            + " give the flow 'afterRetention: new' (in Java .afterRetention(NEW)).");
  }

  /** Somebody wants to see it, or to do something with it. */
  static KeyExpired of(Tombstone tombstone) {
    return new KeyExpired(
        tombstone,
        "It can no longer be shown, retried or replayed; its effects stay done. To do the work"
            + " again, start the flow under another key, or forget this key first.");
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
