package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.history.RunHistory;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Promise 12: the history shows every sending with its key and attempt, and gives a reason for
 * every doubt, review, reuse, settlement and failure.
 */
public final class EveryDecisionIsExplained implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> intents = new HashSet<>();
    for (Run run : evidence.runs()) {
      List<JournalRow> journal = evidence.store().journal(run.number());
      for (HistoryEntry entry : RunHistory.of(run, journal)) {
        if (entry.type().equals("intent")) {
          intents.add(entry.wireKey() + " " + entry.attempt());
        }
        if (!isExplained(entry)) {
          broken.add("the history of run %s gives no reason: %s".formatted(run.id(), entry));
        }
      }
    }
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      boolean isTold = row == null || intents.contains(row.wireKey() + " " + row.attempts());
      if (row != null && !isTold && !evidence.hasExpired(sending.run())) {
        broken.add("no history tells of attempt %d of %s".formatted(row.attempts(), row.key()));
      }
    }
    return broken;
  }

  private static boolean isExplained(HistoryEntry entry) {
    return switch (entry.type()) {
      case "doubt" -> isSaid(entry.decision()) && isSaid(entry.evidence());
      case "review", "not-applied", "read-failed" -> isSaid(entry.evidence());
      case "reused" ->
          isSaid(entry.decision())
              && (isSaid(entry.reusedFrom())
                  || String.valueOf(entry.decision()).contains(ClaimAnswer.IMPORTED.strip()));
      case "held", "conflict", "refused", "absent", "done", "abandoned-before" ->
          isSaid(entry.decision()) || entry.type().equals("refused");
      case "settled", "step-settled" -> isSaid(entry.decision()) && isSaid(entry.evidence());
      case "failed", "step-failed" -> isSaid(entry.error());
      case "intent" -> isSaid(entry.wireKey()) && isSaid(entry.key()) && isSaid(entry.guard());
      default -> true;
    };
  }

  private static boolean isSaid(@Nullable String text) {
    return text != null && !text.isBlank();
  }
}
