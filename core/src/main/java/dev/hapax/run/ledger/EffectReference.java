package dev.hapax.run.ledger;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run's claim of an effect, from its journal: the ledger row stays as long as the run does.
 *
 * @param origin of an update's claim; null otherwise
 */
public record EffectReference(long run, long effect, @Nullable String origin) {
  /** Most rows of a journal claim nothing, and need not be read. */
  private static final String CLAIMED = "\"claimed\"";

  /** All claims in these rows. An effect that was never granted is harmless: it has no row. */
  public static List<EffectReference> in(List<JournalRow> journal) {
    Set<EffectReference> found = new LinkedHashSet<>();
    for (JournalRow row : journal) {
      if (row.entries().contains(CLAIMED)) {
        add(row, found);
      }
    }
    return List.copyOf(found);
  }

  private static void add(JournalRow row, Set<EffectReference> found) {
    List<Long> answered = new ArrayList<>();
    for (Answer answer : row.readAnswers()) {
      if (answer instanceof ClaimAnswer claim && claim.met() != null) {
        answered.add(claim.met());
      }
    }
    for (JournalEntry entry : row.readEntries()) {
      if (entry instanceof EffectEntry.Claimed claimed) {
        found.add(new EffectReference(row.run(), claimed.effect(), claimed.origin()));
        // It does not matter which of several answers belongs to this claim: only existing rows
        // count.
        for (long effect : answered) {
          found.add(new EffectReference(row.run(), effect, claimed.origin()));
        }
      }
    }
  }
}
