package dev.hapax.run;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a run is retrying: an attempt at one of its steps has not succeeded, and the step has not
 * ended. A step that waits for a person is not being retried.
 */
public final class Retrying {
  private Retrying() {}

  public static boolean isIn(List<JournalRow> journal) {
    Set<Step> again = new HashSet<>();
    for (JournalRow row : journal) {
      for (JournalEntry entry : row.readEntries()) {
        switch (entry) {
          case JournalEntry.ReadFailed failed -> again.add(failed.step());
          case JournalEntry.NotApplied failed -> again.add(failed.step());
          case JournalEntry.InDoubt doubt -> again.add(doubt.step());
          case JournalEntry.StepDone done -> again.remove(done.step());
          case JournalEntry.StepFailed failed -> again.remove(failed.step());
          case JournalEntry.StepSettled settled -> again.remove(settled.step());
          case JournalEntry.InReview review -> again.remove(review.step());
          case JournalEntry.Settled settled -> again.remove(settled.step());
          case JournalEntry.EffectDone done -> again.remove(done.step());
          case JournalEntry.EffectFailed failed -> again.remove(failed.step());
          case JournalEntry.Skipped skipped -> again.remove(skipped.step());
          case JournalEntry.Ended _ -> again.clear();
          default -> {}
        }
      }
    }
    return !again.isEmpty();
  }
}
