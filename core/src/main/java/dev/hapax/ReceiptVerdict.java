package dev.hapax;

import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Erased;
import dev.hapax.flow.HistoryEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is proven that an effect happened, and by what. Only the destination proves it: by its
 * answer, or by a lookup. A person's word is no proof, and neither is our own record.
 *
 * @param caveats what a reader must know beside it
 */
record ReceiptVerdict(EffectReceipt.Verdict verdict, List<String> caveats) {
  private static final String ANSWER = "answer";
  private static final String LOOKUP = "lookup";
  private static final String PERSON = "person";
  private static final String NOTHING = "nothing";
  private static final String BY_HAND = "done by hand";

  /**
   * @param isRunKept whether the record of its run is still there
   */
  static ReceiptVerdict of(
      EffectRecord row, boolean isRunKept, EffectPast past, List<EffectReceipt.Decided> decisions) {
    var caveats = new ArrayList<String>();
    boolean isUnguarded = row.guard().equals("none");
    if (isUnguarded && past.wasInDoubt() && row.attempts() > 1) {
      caveats.add(
          "It was sent %d times and no guard removes duplicates, so it may have happened more than once."
              .formatted(row.attempts()));
    }
    if (past.isContradicted()) {
      caveats.add(
          "After a person had decided, the destination reported that an earlier attempt happened.");
    }
    if (row.revision() > 1) {
      caveats.add(
          "This is about revision %d. Earlier revisions have other wire keys and are not in this receipt: each had failed, was undone, or was followed by this one because a person or new content asked for it."
              .formatted(row.revision()));
    }
    if (past.leftOut() > 0) {
      caveats.add(
          "%d lines in the middle of its history are not in this receipt. Its attempts and decisions are not complete."
              .formatted(past.leftOut()));
    }
    if (!isRunKept && !row.isImported()) {
      caveats.add("The record of the run has expired. This is what the ledger still holds.");
    } else if (past.lines().isEmpty() && !row.isImported()) {
      caveats.add(
          "The history of the run says nothing about this revision. This is what the ledger holds.");
    }
    return new ReceiptVerdict(verdict(row, past.lines(), decisions), List.copyOf(caveats));
  }

  private static EffectReceipt.Verdict verdict(
      EffectRecord row, List<HistoryEntry> lines, List<EffectReceipt.Decided> decisions) {
    return switch (row.state()) {
      case DONE -> done(row, lines, decisions, "");
      case UNDOING -> done(row, lines, decisions, " It is being undone.");
      case UNDONE -> done(row, lines, decisions, " Then it was undone.");
      case FAILED ->
          notProven(
              "It did not happen: %s."
                  .formatted(known(row, "the destination refused it, or nothing was sent")));
      case ABANDONED ->
          notProven(
              "It was given up in doubt, so it may have happened: %s."
                  .formatted(known(row, "nothing more is known")));
      case REVIEW ->
          notProven(
              "It was sent and may have happened; a person has to decide: %s."
                  .formatted(known(row, "nothing more is known")));
      case DOUBT ->
          notProven(
              "It was sent and may have happened; its guard will settle that: %s."
                  .formatted(known(row, "nothing more is known")));
      case PENDING -> notProven("It is being sent, or waits for its next attempt.");
    };
  }

  private static EffectReceipt.Verdict done(
      EffectRecord row,
      List<HistoryEntry> lines,
      List<EffectReceipt.Decided> decisions,
      String then) {
    if (row.isImported()) {
      return new EffectReceipt.Verdict(
          false,
          PERSON,
          "Another system did it, and Hapax did not send it: this rests on the word of the import (%s).%s"
              .formatted(known(row, "nothing more is known"), then));
    }
    String person = person(row, lines, decisions);
    if (person != null) {
      return new EffectReceipt.Verdict(
          false, PERSON, "It happened on the word of %s.%s".formatted(person, then));
    }
    HistoryEntry last = last(lines, "done");
    if (last != null && String.valueOf(last.decision()).startsWith("found")) {
      return new EffectReceipt.Verdict(
          true,
          LOOKUP,
          "It happened: the destination showed it when Hapax looked it up, at %s.%s"
              .formatted(last.at(), then));
    }
    if (last == null && isErased(row)) {
      return notProven(
          "The ledger has it as done. Whether the destination confirmed it, or a person said so, was erased with the data of a person.%s"
              .formatted(then));
    }
    return new EffectReceipt.Verdict(
        true,
        ANSWER,
        last == null
            ? "It happened: the ledger holds it as confirmed by the destination.%s".formatted(then)
            : "It happened: the destination confirmed it, at %s.%s".formatted(last.at(), then));
  }

  private static boolean isErased(EffectRecord row) {
    return row.key().isErased() || Erased.JSON.equals(row.result());
  }

  /** Who says that it happened, if only a person does; the ledger keeps it without the run. */
  private static @Nullable String person(
      EffectRecord row, List<HistoryEntry> lines, List<EffectReceipt.Decided> decisions) {
    HistoryEntry done = last(lines, "done");
    if (!decisions.isEmpty() && saysDone(decisions.getLast())) {
      EffectReceipt.Decided said = decisions.getLast();
      boolean isAnsweredSince = done != null && !done.at().isBefore(said.at());
      return isAnsweredSince ? null : said.by();
    }
    String evidence = row.evidence();
    if (done == null && evidence != null) {
      for (String begin : List.of("happened by ", BY_HAND + " by ")) {
        int end = evidence.indexOf(": ");
        if (evidence.startsWith(begin) && end > begin.length()) {
          return evidence.substring(begin.length(), end);
        }
      }
    }
    return null;
  }

  private static boolean saysDone(EffectReceipt.Decided said) {
    return said.decision().equals("happened") || said.decision().equals(BY_HAND);
  }

  private static @Nullable HistoryEntry last(List<HistoryEntry> lines, String type) {
    return lines.reversed().stream()
        .filter(line -> line.type().equals(type))
        .findFirst()
        .orElse(null);
  }

  private static EffectReceipt.Verdict notProven(String says) {
    return new EffectReceipt.Verdict(false, NOTHING, says);
  }

  private static String known(EffectRecord row, String otherwise) {
    String evidence = row.evidence();
    return evidence == null || evidence.isBlank() ? otherwise : evidence;
  }
}
