package dev.hapax.testkit.promise;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
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
        if (entry instanceof RunEntry.Ended && JournalRow.refusesEnd(answers)) {
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
    return switch (entry) {
      case StepEntry.Published _, CallEntry.SpawnedRun _, RunEntry.Alerted _, RunEntry.Notified _ ->
          true;
      case StepEntry _,
          EffectEntry _,
          LoopEntry _,
          WaitEntry _,
          CallEntry _,
          LockEntry _,
          RunEntry _ ->
          false;
    };
  }

  private static @Nullable Answer answerTo(JournalEntry entry, ListIterator<Answer> answers) {
    return switch (entry) {
      case EffectEntry.Claimed claim ->
          answers.hasNext() ? answers.next() : new ClaimAnswer.Granted(claim.effect(), 1);
      case EffectEntry.Attempted attempted ->
          answers.hasNext() ? answers.next() : new ClaimAnswer.Granted(0, attempted.revision());
      case StepEntry.Published _,
          StepEntry.KvAsked _,
          CallEntry.Called _,
          CallEntry.CallAwaited _,
          CallEntry.CallRetried _,
          CallEntry.CallStopped _,
          CallEntry.SpawnedRun _,
          LockEntry.LockAsked _,
          RunEntry.Alerted _,
          RunEntry.Notified _ ->
          answers.hasNext() ? answers.next() : null;
      case StepEntry.StepDone _,
          StepEntry.Branched _,
          StepEntry.StepFailed _,
          StepEntry.ReadFailed _,
          StepEntry.StepSettled _,
          CallEntry.CallFailed _,
          LockEntry.LockReleased _ ->
          null;
      case EffectEntry _, LoopEntry _, WaitEntry _, RunEntry _ -> null;
    };
  }
}
