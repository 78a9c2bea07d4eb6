package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What another system has done by the word of a person is not done again: a create or a
 * notification whose row was imported never leaves. An import changes nothing that the ledger has.
 */
public final class ImportedIsNotSent implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> imported = new HashSet<>();
    Set<String> perhaps = new HashSet<>();
    for (var one : evidence.observed(Observation.EffectImported.class)) {
      if (one.told() == ClientCall.Answer.UNKNOWN || one.told() == ClientCall.Answer.ACCEPTED) {
        perhaps.add(one.name() + " " + one.key());
      }
      if (one.told() == ClientCall.Answer.DUPLICATE
          && !perhaps.contains(one.name() + " " + one.key())) {
        broken.add("%s counts as the same, and nobody had imported it before".formatted(one));
      }
      boolean isSentAgain = one.kind() == Kind.UPDATE; // its content counts
      if (one.told() == ClientCall.Answer.ACCEPTED && !isSentAgain) {
        String what = one.name() + " " + one.key();
        if (!imported.add(what)) {
          broken.add(what + " was imported twice");
        }
        EffectRecord row =
            evidence.store().effect(new EffectKey(evidence.tenant(), one.name(), one.key(), null));
        if (row == null || !row.isImported()) {
          broken.add("%s was imported, and the ledger has %s".formatted(what, row));
        }
      }
    }
    for (Sending sending : evidence.sendings()) {
      if (imported.contains(sending.intentKey())) {
        broken.add("%s was imported, and left at %s".formatted(sending.intentKey(), sending.at()));
      }
    }
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof EffectEntry.Claimed claim) {
          answered(run, claim, line.answer(), evidence, broken);
        }
      }
    }
    return broken;
  }

  /** An imported row matches every request of a create, and no update. */
  private static void answered(
      Run run,
      EffectEntry.Claimed claim,
      @Nullable ClaimAnswer answer,
      Evidence evidence,
      List<String> broken) {
    if (answer instanceof ClaimAnswer.Conflict(long effect, var _, var what)) {
      EffectRecord row = evidence.store().effect(effect);
      if (row != null && row.isImported()) {
        broken.add("run %s: %s is a conflict with an import: %s".formatted(run.id(), claim, what));
      }
    }
    if (answer instanceof ClaimAnswer.Reused reused
        && reused.fromRun().startsWith(ClaimAnswer.IMPORTED)
        && claim.kind() == Kind.UPDATE) {
      broken.add("run %s: %s counts as done by an import".formatted(run.id(), claim));
    }
  }
}
