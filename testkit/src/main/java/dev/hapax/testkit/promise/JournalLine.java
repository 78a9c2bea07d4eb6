package dev.hapax.testkit.promise;

import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of a journal with its row and, if it asked the ledger, the ledger's answer. */
public record JournalLine(JournalRow row, JournalEntry entry, @Nullable ClaimAnswer answer) {

  public static List<JournalLine> read(List<JournalRow> journal) {
    List<JournalLine> lines = new ArrayList<>();
    for (JournalRow row : journal) {
      Iterator<Answer> answers = row.readAnswers().iterator();
      for (JournalEntry entry : row.readEntries()) {
        lines.add(new JournalLine(row, entry, answerTo(entry, answers)));
      }
    }
    return lines;
  }

  private static @Nullable ClaimAnswer answerTo(JournalEntry entry, Iterator<Answer> answers) {
    return switch (entry) {
      case JournalEntry.Claimed claim ->
          answers.hasNext()
              ? (ClaimAnswer) answers.next()
              : new ClaimAnswer.Granted(claim.effect(), 1);
      case JournalEntry.Attempted attempted ->
          answers.hasNext()
              ? (ClaimAnswer) answers.next()
              : new ClaimAnswer.Granted(0, attempted.revision());
      default -> null;
    };
  }
}
