package dev.hapax.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the store tells about what is kept, until when and why. */
public interface RetentionReads {

  /** What can go now, at most this many of each sort; the commit that lets it go looks again. */
  Expiring expiring(Instant now, int limit);

  /** When the next thing can go, as far as it is known; null if there is nothing. */
  @Nullable Instant next();

  /** How long runs of this flow are kept after their end; the default if nobody has said. */
  Duration keep(String flow);

  /** When the run can go; null if it has not ended, or is not there. */
  @Nullable Instant runKeptUntil(long run);

  Counts counts();

  /**
   * What can go.
   *
   * @param runs whose retention is over
   * @param journals of expired runs, of which something is left
   * @param tombstones of runs
   */
  record Expiring(List<Long> runs, List<Long> journals, List<Long> tombstones) {
    public boolean isEmpty() {
      return runs.isEmpty() && journals.isEmpty() && tombstones.isEmpty();
    }
  }

  /** How much has gone so far, since the store was made. */
  record Counts(long runs, long tombstones) {}
}
