package dev.hapax.testkit.memory;

import dev.hapax.flow.Run;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Exists;
import dev.hapax.store.GroupAnswer.Expired;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.Head;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides the outcome of one group: whether it has landed before, lands now, or is lost. */
final class GroupCommit {
  private static final long NO_RUN = 0;

  private final MemoryTables tables;
  private final Group group;

  GroupCommit(MemoryTables tables, Group group) {
    this.tables = tables;
    this.group = group;
  }

  GroupAnswer commit() {
    return switch (group.head()) {
      case Head.Insert insert -> insert(insert);
      case Head.Owned(long run, long owner, long seq) -> goOn(run, owner, seq);
      case Head.Unowned(long run, long seq) -> goOn(run, null, seq);
      case Head.NotEnded(long number) -> writeBeside(number);
      case Head.Always() -> writeBeside(NO_RUN);
    };
  }

  private GroupAnswer insert(Head.Insert insert) {
    long number = insert.run().number();
    KeyHolder holder = tables.retention().holder(insert.run().id());
    return switch (holder) {
      case null -> {
        if (!succeeds(insert.run())) {
          yield new Lost();
        }
        tables.put(RunEdit.inserted(insert.run(), insert.owner(), group.at()));
        tables.resources().refer(number, insert.run().tenant(), insert.run().input());
        yield write(number, 1, insert.run());
      }
      case KeyHolder.Present(var run, var _) when run.number() == number ->
          group.landedBefore(tables.journal(number, 1));
      case KeyHolder.Present(var run, var _) -> new Exists(run);
      case KeyHolder.Expired(var tombstone, var _) when tombstone.number() == number ->
          group.landedBefore(null);
      case KeyHolder.Expired(var tombstone, var _) -> new Expired(tombstone);
    };
  }

  /**
   * Records whose key the run takes over; returns false if that run is not there, or still has its
   * key.
   */
  private boolean succeeds(NewRun run) {
    Succession succession = run.succession();
    if (succession == null) {
      return true;
    }
    KeyHolder predecessor = tables.retention().holder(succession.predecessor());
    if (predecessor == null || !predecessor.mayBeSucceeded()) {
      return false;
    }
    tables.retention().succeed(predecessor.number(), run.number(), succession.renews());
    return true;
  }

  private GroupAnswer goOn(long number, @Nullable Long owner, long seq) {
    JournalRow next = tables.journal(number, seq + 1);
    if (next != null) {
      return group.wrote(next) ? group.landedBefore(next) : new Lost();
    }
    Run run = tables.run(number);
    if (run == null || tables.lastSeq(number) != seq) {
      return new Lost();
    }
    if (Objects.equals(run.owner(), owner)) {
      return write(number, seq + 1);
    }
    return onlyTakes(run.owner()) ? group.landedBefore(null) : new Lost();
  }

  /**
   * Whether the group only gives the run to its present owner. Then it cannot be distinguished from
   * one that landed.
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
    List<Answer> before = tables.answered(group.op());
    if (before != null) {
      return new Landed(before, List.of());
    }
    return run == NO_RUN || isGoingOn(run) ? write(run, 0) : new Lost();
  }

  private void refer(long run, @Nullable String text) {
    Run row = tables.run(run);
    if (row != null) {
      tables.resources().refer(run, row.tenant(), text);
    }
  }

  private boolean isGoingOn(long number) {
    Run run = tables.run(number);
    return run != null && !run.status().isEnd();
  }

  /** Writes all of the group's changes, or none if one of them does not hold. */
  private GroupAnswer write(long run, long seq) {
    return write(run, seq, null);
  }

  private GroupAnswer write(long run, long seq, @Nullable NewRun inserted) {
    var changes = new MemoryGroupChanges(tables, run, group);
    try {
      GroupAnswer atGate = inserted == null ? null : changes.passGate(inserted);
      if (atGate != null) {
        if (atGate instanceof GroupAnswer.Queued) {
          tables.keep();
        }
        return atGate;
      }
      if (!group.changes().stream().allMatch(changes::apply)) {
        return changes.refusal();
      }
      List<Answer> answers = changes.answers();
      String entries = group.entries();
      if (entries != null) {
        String stored =
            answers.equals(group.grantedAsAsked()) ? null : JournalRow.writeAnswers(answers);
        tables.put(new JournalRow(run, seq, group.op(), group.at(), entries, stored, group.item()));
        refer(run, entries);
        refer(run, stored);
      } else if (seq == 0 && !answers.isEmpty()) {
        tables.putAnswered(group.op(), answers);
      }
      tables.keep();
      return new Landed(answers, changes.woken());
    } finally {
      tables.rollBack(); // everything that was not kept
    }
  }
}
