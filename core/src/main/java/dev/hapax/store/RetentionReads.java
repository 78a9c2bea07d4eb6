package dev.hapax.store;

import dev.hapax.flow.InboxEvent;
import dev.hapax.run.journal.JournalRow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the store keeps, until when and why. */
public interface RetentionReads {

  /** What can be deleted now, at most this many of each kind; the commit checks again. */
  Expiring expiring(Instant now, int limit);

  /** When the next item can be deleted, as far as it is known; null if there is nothing. */
  @Nullable Instant next();

  /**
   * How long runs of this flow are kept after their end: as the tenant has set, else as was set for
   * all, else the default.
   */
  Duration keep(String tenant, String flow);

  /** When the run can be deleted; null if it has not ended, or does not exist. */
  @Nullable Instant runKeptUntil(long run);

  /** The effects in doubt, in review or being undone that this run owns, by number. */
  List<Long> openEffects(long run);

  /** When the effect is looked at next; null if a run refers to it, or it does not exist. */
  @Nullable Instant effectKeptUntil(long effect);

  /** The existing runs that refer to the effect, at most this many, by number. */
  List<Long> referring(long effect, int limit);

  /**
   * The uses of a tenant's effects of this name, by flow. What was noted before uses had a tenant
   * counts for every tenant.
   */
  List<EffectUse> uses(String tenant, String effect);

  /**
   * The rows that the next commit deletes from the journals of these runs: the first rows of each,
   * at most {@link dev.hapax.run.retention.RetentionRule#MOST_JOURNAL_ROWS}. Rows that claim no
   * effect may be left out.
   */
  List<JournalRow> journals(List<Long> runs);

  /** When the oldest event that the inbox remembers was received; null if there is none. */
  @Nullable Instant firstEvent();

  /** The oldest events of all tenants whose number is below this, oldest first. */
  List<InboxEvent> oldestEvents(long before, int limit);

  Counts counts();

  /**
   * Counts what goes of a tenant in this time, if nothing holds it: by kind, name and day in UTC,
   * in this order of days. Reads every row that goes: ask it rarely.
   *
   * @param events how long events are remembered after they were received
   * @param limit of the groups
   */
  List<Leaving> leaving(String tenant, Instant from, Instant to, Duration events, int limit);

  /**
   * Ended runs of a tenant that were kept although their retention was over, by number, at most
   * this many: something held them, or their flow had a longer retention when they ended.
   */
  List<Long> late(String tenant, Instant now, int limit);

  /** What a record is that goes. */
  enum LeavingKind {
    RUN,
    EFFECT,
    RUN_TOMBSTONE,
    EFFECT_TOMBSTONE,
    EVENT
  }

  /**
   * Records that go on one day.
   *
   * @param name of the flow, the effect or the source of events; empty for tombstones
   */
  record Leaving(LeavingKind kind, String name, LocalDate day, long count) {}

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
