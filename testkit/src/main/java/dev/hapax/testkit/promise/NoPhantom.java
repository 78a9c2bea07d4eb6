package dev.hapax.testkit.promise;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.OutgoingMessage;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.run.SettleDecision;
import dev.hapax.run.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Promise 6, the other side: an effect that is recorded as done has happened, with the recorded
 * result; and a run that succeeded has settled every effect that it claimed.
 */
public final class NoPhantom implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Set<String>> results = results(evidence);
    for (EffectTrail trail : EffectTrail.of(evidence)) {
      EffectRecord row = evidence.store().effect(trail.effect());
      if (row != null && row.key().name().startsWith(OutgoingMessage.FLOWS)) {
        continue; // MessagesAreDelivered checks it
      }
      Set<String> there = results.getOrDefault(trail.effect() + "/" + trail.revision(), Set.of());
      for (JournalLine line : trail.lines()) {
        String output = outputOfDone(line.entry());
        if (output != null && !isThere(output, there, row)) {
          broken.add(
              "revision %d of effect %s is done with %s, but the destination has %s"
                  .formatted(trail.revision(), EffectRecord.id(trail.effect()), output, there));
        }
      }
    }
    for (Run run : evidence.runs()) {
      if (run.status() == RunStatus.SUCCEEDED) {
        allEffectsOf(run, evidence, broken);
      }
    }
    return broken;
  }

  /** An undo has no result. */
  private static boolean isThere(String output, Set<String> there, @Nullable EffectRecord row) {
    boolean isUndo = row != null && row.key().name().endsWith(Sending.UNDO);
    return isUndo ? !there.isEmpty() : there.contains(output);
  }

  private static Map<String, Set<String>> results(Evidence evidence) {
    Map<String, Set<String>> results = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      String result = sending.result();
      if (row != null && sending.applied() && result != null) {
        results
            .computeIfAbsent(row.number() + "/" + row.revision(), _ -> new HashSet<>())
            .add(result);
      }
    }
    return results;
  }

  private static @Nullable String outputOfDone(JournalEntry entry) {
    return switch (entry) {
      case JournalEntry.EffectDone done -> Objects.requireNonNullElse(done.output(), "null");
      case JournalEntry.Settled settled when settled.decision() == SettleDecision.HAPPENED ->
          Objects.requireNonNullElse(settled.output(), "null");
      default -> null;
    };
  }

  private static void allEffectsOf(Run run, Evidence evidence, List<String> broken) {
    Set<Step> open = new HashSet<>();
    for (JournalLine line : evidence.journal(run)) {
      switch (line.entry()) {
        case JournalEntry.Claimed claim when line.answer() instanceof ClaimAnswer.Granted ->
            open.add(claim.step());
        case JournalEntry.EffectDone done -> open.remove(done.step());
        case JournalEntry.EffectFailed failed -> open.remove(failed.step());
        case JournalEntry.Skipped skipped -> open.remove(skipped.step());
        case JournalEntry.Settled settled when settled.decision() != SettleDecision.NOT_HAPPENED ->
            open.remove(settled.step());
        case JournalEntry.StepSettled settled -> open.remove(settled.step());
        default -> {}
      }
    }
    if (!open.isEmpty()) {
      broken.add("run %s succeeded without the outcome of %s".formatted(run.id(), open));
    }
    for (EffectRecord row : evidence.effects()) {
      if (row.run() == run.number() && row.state() == EffectState.PENDING) {
        broken.add("run %s succeeded while %s is pending".formatted(run.id(), row.key()));
      }
    }
  }
}
