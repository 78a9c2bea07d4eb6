package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
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
      if (row != null && row.key().name().startsWith(StoredMessage.FLOWS)) {
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
      case EffectEntry effect -> outputOfDone(effect);
      case StepEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _, RunEntry _ -> null;
    };
  }

  private static @Nullable String outputOfDone(EffectEntry entry) {
    return switch (entry) {
      case EffectEntry.EffectDone done -> Objects.requireNonNullElse(done.output(), "null");
      case EffectEntry.Settled settled ->
          settled.decision() == SettleDecision.HAPPENED
              ? Objects.requireNonNullElse(settled.output(), "null")
              : null;
      case EffectEntry.Claimed _,
          EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.InReview _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ ->
          null;
    };
  }

  private static void note(EffectEntry entry, @Nullable ClaimAnswer answer, Set<Step> open) {
    switch (entry) {
      case EffectEntry.Claimed claim -> {
        if (answer instanceof ClaimAnswer.Granted) {
          open.add(claim.step());
        }
      }
      case EffectEntry.Settled settled -> {
        if (settled.decision() != SettleDecision.NOT_HAPPENED) {
          open.remove(settled.step());
        }
      }
      case EffectEntry.EffectDone _, EffectEntry.EffectFailed _, EffectEntry.Skipped _ ->
          open.remove(entry.step());
      case EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.InReview _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.LeftBehind _ -> {}
    }
  }

  private static void allEffectsOf(Run run, Evidence evidence, List<String> broken) {
    Set<Step> open = new HashSet<>();
    for (JournalLine line : evidence.journal(run)) {
      switch (line.entry()) {
        case EffectEntry effect -> note(effect, line.answer(), open);
        case StepEntry.StepSettled settled -> open.remove(settled.step());
        case StepEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _, RunEntry _ -> {}
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
