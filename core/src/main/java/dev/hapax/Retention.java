package dev.hapax;

import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is still remembered, until when and why, and what has gone. Read only. */
public final class Retention {
  private final Hapax hapax;
  private final Store store;

  Retention(Hapax hapax, Store store) {
    this.hapax = hapax;
    this.store = store;
  }

  /** Until when a run's full record is there at least; null if it has not ended. */
  public @Nullable Instant keptUntil(String runId) {
    return store.retention().runKeptUntil(hapax.run(runId).number());
  }

  /** How much has been deleted since the store was made. */
  public RetentionReads.Counts deleted() {
    return store.retention().counts();
  }
}
