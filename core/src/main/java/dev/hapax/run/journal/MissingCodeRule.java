package dev.hapax.run.journal;

import java.util.List;

/**
 * Whether a run's journal already says that its code is missing, so that wake-ups and restarts do
 * not repeat it. A run that has gone on since may say it again.
 */
public final class MissingCodeRule {
  private MissingCodeRule() {}

  public static boolean isTold(List<JournalRow> journal) {
    boolean isTold = false;
    for (JournalRow row : journal) {
      for (JournalEntry entry : row.readEntries()) {
        isTold = entry instanceof RunEntry.CodeMissing || (isTold && !isByTheBody(entry));
      }
    }
    return isTold;
  }

  /** Only code reaches a step; a person settles one without it. */
  private static boolean isByTheBody(JournalEntry entry) {
    return switch (entry) {
      case EffectEntry.Settled _, StepEntry.StepSettled _ -> false;
      case StepEntry _, EffectEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _ -> true;
      case RunEntry run -> run.step() != null;
    };
  }
}
