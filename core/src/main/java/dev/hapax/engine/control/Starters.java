package dev.hapax.engine.control;

import dev.hapax.flow.Caller;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import org.jspecify.annotations.Nullable;

/**
 * The people behind a run: those who started it or a run above it, and those who corrected the
 * input of one of them. A caller is recognized by the credential and by the name: the credentials
 * of one user have the same name.
 */
final class Starters {
  /** More than the deepest chain of calls. */
  private static final int MOST_PARENTS = 1_000;

  /** In the text of every row that holds a retry; a row with large results need not be parsed. */
  private static final String RETRIED = "\"retried\"";

  private static final String REPLAYED = "\"replayed\"";

  private final Store store;

  Starters(Store store) {
    this.store = store;
  }

  boolean isOne(long number, @Nullable String id, String name) {
    Long next = number;
    for (int i = 0; next != null && i < MOST_PARENTS; i++) {
      Run run = store.run(next);
      if (run == null) {
        return false;
      }
      if (isSame(run.startedBy(), id, name) || hasCorrected(run.number(), name)) {
        return true;
      }
      next = run.parent();
    }
    return false;
  }

  private static boolean isSame(@Nullable Caller starter, @Nullable String id, String name) {
    return starter != null && (starter.id().equals(id) || starter.name().equals(name));
  }

  /** A retry is an entry of the run itself, so the journals of its items are not read. */
  private boolean hasCorrected(long run, String name) {
    StoredRun stored = store.load(run);
    return stored != null
        && stored.journal().stream()
            .filter(row -> row.entries().contains(RETRIED) || row.entries().contains(REPLAYED))
            .flatMap(row -> row.readEntries().stream())
            .anyMatch(entry -> isCorrection(entry, name));
  }

  private static boolean isCorrection(JournalEntry entry, String name) {
    return switch (entry) {
      case RunEntry.Retried retried -> retried.input() != null && retried.actor().equals(name);
      case RunEntry.Replayed replayed -> // it may have changed what is approved in any way
          replayed.actor().equals(name);
      default -> false;
    };
  }
}
