package dev.hapax.run.journal;

import dev.hapax.flow.Step;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether a run is retrying: an attempt at one of its steps has not succeeded, and the step has not
 * ended. A step that waits for a person is not being retried.
 */
public final class Retrying {
  private Retrying() {}

  public static boolean isIn(Iterable<JournalRow> journal) {
    Set<Step> again = new HashSet<>();
    for (JournalRow row : journal) {
      for (JournalEntry entry : row.readEntries()) {
        switch (entry) {
          case StepEntry step -> note(step, again);
          case EffectEntry effect -> note(effect, again);
          case RunEntry.Ended _ -> again.clear();
          case RunEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _ -> {}
        }
      }
    }
    return !again.isEmpty();
  }

  private static void note(StepEntry entry, Set<Step> again) {
    switch (entry) {
      case StepEntry.ReadFailed failed -> again.add(failed.step());
      case StepEntry.StepDone _, StepEntry.StepFailed _, StepEntry.StepSettled _ ->
          again.remove(entry.step());
      case StepEntry.Branched _, StepEntry.Published _, StepEntry.KvAsked _ -> {}
    }
  }

  private static void note(EffectEntry entry, Set<Step> again) {
    switch (entry) {
      case EffectEntry.NotApplied _, EffectEntry.InDoubt _ -> again.add(entry.step());
      case EffectEntry.InReview _,
          EffectEntry.Settled _,
          EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _ ->
          again.remove(entry.step());
      case EffectEntry.Claimed _,
          EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.LeftBehind _ -> {}
    }
  }
}
