package dev.hapax.store;

import dev.hapax.run.journal.JournalRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the store keeps, until when and why. */
public interface RetentionReads {

  /** What can be deleted now, at most this many of each kind; the commit checks again. */
  Expiring expiring(Instant now, int limit);

  /** When the next item can be deleted, as far as it is known; null if there is nothing. */
  @Nullable Instant next();

  /** How long runs of this flow are kept after their end; the default if none was set. */
  Duration keep(String flow);

  /** When the run can be deleted; null if it has not ended, or does not exist. */
  @Nullable Instant runKeptUntil(long run);

  /** The effects in doubt, in review or being undone that this run owns, by number. */
  List<Long> openEffects(long run);

  /** When the effect is looked at next; null if a run refers to it, or it does not exist. */
  @Nullable Instant effectKeptUntil(long effect);

  /** The existing runs that refer to the effect, at most this many, by number. */
  List<Long> referring(long effect, int limit);

  /** The uses of effects of this name, by flow. */
  List<EffectUse> uses(String effect);

  /**
   * The rows that the next commit deletes from the journals of these runs: the first rows of each,
   * at most {@link dev.hapax.run.retention.RetentionRule#MOST_JOURNAL_ROWS}. Rows that claim no
   * effect may be left out.
   */
  List<JournalRow> journals(List<Long> runs);

  /** When the oldest event that the inbox remembers was received; null if there is none. */
  @Nullable Instant firstEvent();

  Counts counts();

  /**
   * Data that can be deleted.
   *
   * @param runs whose retention is over
   * @param journals of expired runs, of which something is left
   * @param tombstones of runs
   * @param effects whose life may be over
   * @param effectTombstones how many tombstones of effects, and revisions of updates
   */
  record Expiring(
      List<Long> runs,
      List<Long> journals,
      List<Long> tombstones,
      List<Long> effects,
      int effectTombstones) {
    public boolean isEmpty() {
      return runs.isEmpty()
          && journals.isEmpty()
          && tombstones.isEmpty()
          && effects.isEmpty()
          && effectTombstones == 0;
    }
  }

  /** How much has been deleted so far, since the store was created. */
  record Counts(long runs, long tombstones, long effects, long effectTombstones) {}
}
