package dev.hapax.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run's claim of an effect, as its journal tells it: as long as the run is there, the ledger row
 * stays.
 *
 * @param origin of an update's claim; null otherwise
 */
public record EffectReference(long run, long effect, @Nullable String origin) {
  /** Most rows of a journal claim nothing, and then need not be read. */
  private static final String CLAIMED = "\"claimed\"";

  /** Of all claims in these rows. An effect that was never granted is harmless: it has no row. */
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
      if (entry instanceof JournalEntry.Claimed claimed) {
        found.add(new EffectReference(row.run(), claimed.effect(), claimed.origin()));
        // Which of several answers is this claim's does not matter: only what is there counts.
        for (long effect : answered) {
          found.add(new EffectReference(row.run(), effect, claimed.origin()));
        }
      }
    }
  }
}
