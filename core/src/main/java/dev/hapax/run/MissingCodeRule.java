package dev.hapax.run;

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
        isTold = entry instanceof JournalEntry.CodeMissing || (isTold && !isByTheBody(entry));
      }
    }
    return isTold;
  }

  /** Only code reaches a step; a person settles one without it. */
  private static boolean isByTheBody(JournalEntry entry) {
    return entry.step() != null
        && !(entry instanceof JournalEntry.Settled)
        && !(entry instanceof JournalEntry.StepSettled);
  }
}
