package dev.hapax.run.journal;

import dev.hapax.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.ListIterator;
import org.jspecify.annotations.Nullable;

/**
 * The entries that one commit added to a run's journal.
 *
 * @param op the group that wrote it: the same id means "mine" when a batch is sent again
 * @param entries JSON text of the entries
 * @param answers JSON text of the ledger's answers to the {@code Claimed} and {@code Attempted}
 *     entries in their order; null if each was granted, and each claim as revision 1 of a new row,
 *     which is nearly always the case
 * @param item the item of a loop that it is about; null for the run as a whole. A run in memory
 *     holds only the journals of items in progress.
 */
public record JournalRow(
    long run,
    long seq,
    long op,
    Instant at,
    String entries,
    @Nullable String answers,
    @Nullable String item) {

  public JournalRow(
      long run, long seq, long op, Instant at, String entries, @Nullable String answers) {
    this(run, seq, op, at, entries, answers, null);
  }

  public List<JournalEntry> readEntries() {
    return List.of(Json.read(entries, JournalEntry[].class));
  }

  public List<Answer> readAnswers() {
    String stored = answers;
    return stored == null ? List.of() : readAnswers(stored);
  }

  public static List<Answer> readAnswers(String stored) {
    return List.of(Json.read(stored, Answer[].class));
  }

  /**
   * Whether these answers refuse the end: then it has not happened. An end that landed has no
   * answer, so no other answer is consumed.
   */
  public static boolean refusesEnd(ListIterator<Answer> answers) {
    if (!answers.hasNext()) {
      return false;
    }
    boolean isRefused = answers.next() instanceof Answer.NotEnded;
    if (!isRefused) {
      answers.previous();
    }
    return isRefused;
  }

  public static String write(List<JournalEntry> entries) {
    return Json.write(entries.toArray(JournalEntry[]::new));
  }

  public static String writeAnswers(List<Answer> answers) {
    return Json.write(answers.toArray(Answer[]::new));
  }
}
