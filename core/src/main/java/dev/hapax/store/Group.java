package dev.hapax.store;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run writes in one commit: all of it, or nothing if its head does not hold.
 *
 * @param op its identity, made once: a store that finds it in the journal knows that the group has
 *     landed
 * @param entries the journal row's entries as JSON text; null if the group adds nothing to the
 *     journal
 * @param item the item whose journal the row belongs to; null for the run as a whole
 */
public record Group(
    long op,
    Instant at,
    Head head,
    List<Change> changes,
    @Nullable String entries,
    @Nullable String item) {

  /** For a group that belongs to the run as a whole. */
  public Group(long op, Instant at, Head head, List<Change> changes, @Nullable String entries) {
    this(op, at, head, changes, entries, null);
  }

  /** The run that it belongs to; null if it is about none, or about many. */
  public @Nullable Long run() {
    return switch (head) {
      case Head.Insert(var run, var _) -> run.number();
      case Head.Owned(long run, long _, long _) -> run;
      case Head.Unowned(long run, long _) -> run;
      case Head.NotEnded(long run) -> run;
      case Head.Always() -> null;
    };
  }

  /** Whether this group wrote this journal row. */
  public boolean wrote(JournalRow row) {
    return row.op() == op;
  }

  /**
   * Returns the answer of a group that landed before; nothing of it is evaluated. The runs that it
   * woke are not kept: they are due, and found as such.
   *
   * @param row that it wrote, if it writes one
   */
  public GroupAnswer landedBefore(@Nullable JournalRow row) {
    if (row == null || !wrote(row) || row.answers() == null) {
      return new GroupAnswer.Landed(grantedAsAsked(), List.of());
    }
    if (head instanceof Head.Insert
        && row.readAnswers().getFirst() instanceof Answer.Queued queued) {
      return new GroupAnswer.Queued(queued, List.of());
    }
    return new GroupAnswer.Landed(row.readAnswers(), List.of());
  }

  /** The answers that nearly every group gets, and that the journal leaves out. */
  public List<Answer> grantedAsAsked() {
    List<Answer> answers = new ArrayList<>();
    for (Change change : changes) {
      if (change instanceof Change.Claim(var claim)) {
        answers.add(new ClaimAnswer.Granted(claim.number(), 1));
      } else if (change instanceof Change.Undo(var wish)) {
        answers.add(new ClaimAnswer.Granted(wish.claim().number(), 1));
      } else if (change instanceof Change.Attempt attempt) {
        answers.add(new ClaimAnswer.Granted(attempt.effect(), attempt.revision()));
      }
    }
    return answers;
  }

  /** Returns a group that lands in any state of the store. */
  public static Group always(long op, Instant at, List<Change> changes) {
    return new Group(op, at, new Head.Always(), changes, null);
  }
}
