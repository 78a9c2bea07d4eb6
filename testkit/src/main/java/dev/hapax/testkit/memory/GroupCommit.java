package dev.hapax.testkit.memory;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Exists;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.Head;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of one group: whether it has landed before, lands now, or is lost. */
final class GroupCommit {
  private static final long NO_RUN = 0;

  private final Tables tables;
  private final Group group;

  GroupCommit(Tables tables, Group group) {
    this.tables = tables;
    this.group = group;
  }

  GroupAnswer commit() {
    return switch (group.head()) {
      case Head.Insert insert -> insert(insert);
      case Head.Owned(long run, long owner, long seq) -> goOn(run, owner, seq);
      case Head.Unowned(long run, long seq) -> goOn(run, null, seq);
      case Head.NotEnded(long number) -> {
        Run run = tables.run(number);
        yield run == null || run.status().isEnd() ? new Lost() : writeBeside(number);
      }
      case Head.Always() -> writeBeside(NO_RUN);
    };
  }

  private GroupAnswer insert(Head.Insert insert) {
    Run present = tables.run(insert.run().id());
    long number = insert.run().number();
    if (present == null) {
      tables.put(RunEdit.inserted(insert.run(), insert.owner(), group.at()));
      return write(number, 1);
    }
    return present.number() == number
        ? landedBefore(tables.journal(number, 1))
        : new Exists(present);
  }

  private GroupAnswer goOn(long number, @Nullable Long owner, long seq) {
    JournalRow next = tables.journal(number, seq + 1);
    if (next != null) {
      return isMine(next) ? landedBefore(next) : new Lost();
    }
    Run run = tables.run(number);
    if (run == null || tables.lastSeq(number) != seq) {
      return new Lost();
    }
    if (Objects.equals(run.owner(), owner)) {
      return write(number, seq + 1);
    }
    return onlyTakes(run.owner()) ? landedBefore(null) : new Lost();
  }

  /**
   * Whether the group did nothing but bring the run to the owner that it has: then nobody can tell
   * it from landed.
   */
  private boolean onlyTakes(@Nullable Long owner) {
    return owner != null
        && group.entries() == null
        && group.changes().equals(List.of(new Change.Take(owner)));
  }

  private GroupAnswer writeBeside(long run) {
    if (group.entries() != null) {
      throw new IllegalArgumentException(
          "a group with the head " + group.head() + " has no journal entries");
    }
    return write(run, 0);
  }

  /** All of the group's changes, or none if one of them does not hold. */
  private GroupAnswer write(long run, long seq) {
    var changes = new GroupChanges(tables, run, group);
    try {
      if (!group.changes().stream().allMatch(changes::apply)) {
        return new Lost();
      }
      List<ClaimAnswer> answers = changes.answers();
      String entries = group.entries();
      if (entries != null) {
        String stored = answers.equals(grantedAsAsked()) ? null : JournalRow.writeAnswers(answers);
        tables.put(new JournalRow(run, seq, group.op(), group.at(), entries, stored));
      }
      tables.keep();
      return new Landed(answers, changes.woken());
    } finally {
      tables.rollBack(); // whatever was not kept
    }
  }

  private boolean isMine(JournalRow row) {
    return row.op() == group.op();
  }

  /** Nothing is evaluated again. Whom it woke is not kept: they are due, and found there. */
  private GroupAnswer landedBefore(@Nullable JournalRow row) {
    if (row != null && isMine(row) && row.answers() != null) {
      return new Landed(row.readAnswers(), List.of());
    }
    return new Landed(grantedAsAsked(), List.of());
  }

  /** The answers that nearly every group gets, and that the journal leaves out. */
  private List<ClaimAnswer> grantedAsAsked() {
    List<ClaimAnswer> answers = new ArrayList<>();
    for (Change change : group.changes()) {
      if (change instanceof Change.Claim(var claim)) {
        answers.add(new ClaimAnswer.Granted(claim.number(), 1));
      } else if (change instanceof Change.Attempt(long effect, int revision, int _)) {
        answers.add(new ClaimAnswer.Granted(effect, revision));
      }
    }
    return answers;
  }
}
