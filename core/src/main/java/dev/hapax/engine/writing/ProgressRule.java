package dev.hapax.engine.writing;

import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Change;
import java.util.List;

/**
 * Whether a run gets further by what it writes, or leaves memory. A run that is only taken up again
 * and again, and sends the same attempt again and again, does not.
 */
final class ProgressRule {
  private ProgressRule() {}

  static boolean isIn(List<JournalEntry> entries, List<Change> changes) {
    return changes.stream().anyMatch(ProgressRule::leaves)
        || entries.stream().anyMatch(ProgressRule::isFurther);
  }

  private static boolean leaves(Change change) {
    return change instanceof Change.Release || change instanceof Change.End;
  }

  private static boolean isFurther(JournalEntry entry) {
    return switch (entry) {
      case EffectEntry.Claimed _,
          EffectEntry.NotApplied _,
          EffectEntry.InReview _,
          EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ ->
          true;
      // Each recovery writes these about the attempt that the process before left in flight.
      case EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _ ->
          false;
      // By people.
      case EffectEntry.Settled _, EffectEntry.SettledTooLate _, StepEntry.StepSettled _ -> false;
      case EffectEntry.AnsweredLate _ -> false;
      case StepEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _ -> true;
      case RunEntry _ -> false;
    };
  }
}
