package dev.hapax.testkit.promise;

import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import org.jspecify.annotations.Nullable;

/**
 * A journal entry with its row and, if it asked the store, the store's answer.
 *
 * @param answer of the ledger
 * @param reply of any other part that it asked
 */
public record JournalLine(
    JournalRow row, JournalEntry entry, @Nullable ClaimAnswer answer, @Nullable Answer reply) {

  public static List<JournalLine> read(List<JournalRow> journal) {
    List<JournalLine> lines = new ArrayList<>();
    for (JournalRow row : journal) {
      ListIterator<Answer> answers = row.readAnswers().listIterator();
      for (JournalEntry entry : row.readEntries()) {
        if (entry instanceof JournalEntry.Ended && JournalRow.refusesEnd(answers)) {
          continue; // it has not happened
        }
        Answer reply = answerTo(entry, answers);
        if (reply instanceof ClaimAnswer.Refused && startsAnother(entry)) {
          continue; // nor this
        }
        lines.add(
            new JournalLine(row, entry, reply instanceof ClaimAnswer claim ? claim : null, reply));
      }
    }
    return lines;
  }

  private static boolean startsAnother(JournalEntry entry) {
    return entry instanceof JournalEntry.Published
        || entry instanceof JournalEntry.SpawnedRun
        || entry instanceof JournalEntry.Alerted;
  }

  private static @Nullable Answer answerTo(JournalEntry entry, ListIterator<Answer> answers) {
    return switch (entry) {
      case JournalEntry.Claimed claim ->
          answers.hasNext() ? answers.next() : new ClaimAnswer.Granted(claim.effect(), 1);
      case JournalEntry.Attempted attempted ->
          answers.hasNext() ? answers.next() : new ClaimAnswer.Granted(0, attempted.revision());
      case JournalEntry.Published _,
          JournalEntry.Called _,
          JournalEntry.CallAwaited _,
          JournalEntry.CallRetried _,
          JournalEntry.CallStopped _,
          JournalEntry.SpawnedRun _,
          JournalEntry.KvAsked _,
          JournalEntry.LockAsked _,
          JournalEntry.Alerted _ ->
          answers.hasNext() ? answers.next() : null;
      default -> null;
    };
  }
}
