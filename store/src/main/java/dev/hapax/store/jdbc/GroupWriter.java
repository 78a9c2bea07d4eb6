package dev.hapax.store.jdbc;

import dev.hapax.run.Gate;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
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
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcome of one group inside the open transaction: it landed before, lands now, or is
 * lost.
 */
final class GroupWriter {
  private final Tables tables;
  private final Group group;

  GroupWriter(Tables tables, Group group) {
    this.tables = tables;
    this.group = group;
  }

  /**
   * @throws ChangeDoesNotHold if the group is lost after a part of it was written: the transaction
   *     must be rolled back
   */
  GroupAnswer write() throws SQLException, ChangeDoesNotHold {
    return switch (group.head()) {
      case Head.Insert(var run, var owner) -> insert(run, owner);
      case Head.Owned(long run, long owner, long seq) -> goOn(run, owner, seq);
      case Head.Unowned(long run, long seq) -> {
        tables.runs().lock(run);
        yield afterLookingUp(run, null, seq);
      }
      case Head.NotEnded(long run) -> landBeside(run);
      case Head.Always() -> landBeside(0);
    };
  }

  private GroupAnswer insert(NewRun run, @Nullable Long owner)
      throws SQLException, ChangeDoesNotHold {
    Gate gate = run.gate();
    GroupAnswer.Busy busy = gate == null ? null : changesOf(run.number(), false).refusal(run);
    if (busy != null) {
      return busy;
    }
    KeyHolder present = tables.runs().insert(run, owner, group.at());
    if (present == null) {
      if (!tables.retention().succeed(run, tables.runs())) {
        throw new ChangeDoesNotHold();
      }
      tables.resources().refer(run.number(), run.number(), run.input());
      return gate == null ? land(run.number(), 1, false) : enter(run, gate);
    }
    if (present.number() == run.number()) {
      return group.landedBefore(tables.journal().find(run.number(), 1));
    }
    return switch (present) {
      case KeyHolder.Present(var first, var _) -> new Exists(first);
      case KeyHolder.Expired(var tombstone, var _) -> new Expired(tombstone);
    };
  }

  private GroupAnswer enter(NewRun run, Gate gate) throws SQLException, ChangeDoesNotHold {
    var changes = changesOf(run.number(), false);
    Answer.Queued queued = changes.enter(run, gate);
    if (queued != null) {
      return new GroupAnswer.Queued(queued, changes.woken());
    }
    String entries = group.entries();
    if (entries != null) {
      tables.journal().append(run.number(), 1, group, entries);
    }
    return applyChanges(run.number(), 1, changes);
  }

  private GroupChanges changesOf(long run, boolean canceled) {
    return new GroupChanges(tables, group, run, canceled);
  }

  private GroupAnswer goOn(long run, long owner, long seq) throws SQLException, ChangeDoesNotHold {
    tables.runs().lock(run);
    String entries = group.entries();
    if (entries != null && tables.journal().appendOwned(run, seq + 1, group, entries, owner)) {
      return applyChanges(run, seq + 1, changesOf(run, false));
    }
    return afterLookingUp(run, owner, seq);
  }

  private GroupAnswer afterLookingUp(long run, @Nullable Long owner, long seq)
      throws SQLException, ChangeDoesNotHold {
    JournalRow next = tables.journal().find(run, seq + 1);
    if (next != null) {
      return group.wrote(next) ? group.landedBefore(next) : new Lost();
    }
    RunRows.State state = tables.runs().state(run);
    if (state == null || state.seq() != seq) {
      return new Lost();
    }
    if (Objects.equals(state.owner(), owner)) {
      return land(run, seq + 1, state.canceled());
    }
    return onlyTakes(state.owner()) ? group.landedBefore(null) : new Lost();
  }

  /**
   * Whether the group only assigned the run to the owner that it now has: this cannot be
   * distinguished from a group that landed.
   */
  private boolean onlyTakes(@Nullable Long owner) {
    return owner != null
        && group.entries() == null
        && group.changes().equals(List.of(new Change.Take(owner)));
  }

  private GroupAnswer landBeside(long run) throws SQLException, ChangeDoesNotHold {
    if (group.entries() != null) {
      throw new IllegalArgumentException(
          "a group with the head " + group.head() + " has no journal entries");
    }
    List<Answer> before = tables.answered().find(group.op());
    if (before != null) {
      return new Landed(before, List.of());
    }
    if (group.head() instanceof Head.Always) {
      return applyChanges(run, 0, changesOf(run, false));
    }
    tables.runs().lock(run);
    RunRows.State state = tables.runs().state(run);
    return state == null || state.ended()
        ? new Lost()
        : applyChanges(run, 0, changesOf(run, state.canceled()));
  }

  private GroupAnswer land(long run, long seq, boolean canceled)
      throws SQLException, ChangeDoesNotHold {
    String entries = group.entries();
    if (entries != null) {
      tables.journal().append(run, seq, group, entries);
    }
    return applyChanges(run, seq, changesOf(run, canceled));
  }

  /**
   * The journal row, if there is one, is written before the changes: most rows are complete without
   * the answers.
   */
  private GroupAnswer applyChanges(long run, long seq, GroupChanges changes)
      throws SQLException, ChangeDoesNotHold {
    for (Change change : group.changes()) {
      changes.apply(change);
    }
    List<Answer> answers = changes.answers();
    tables.resources().refer(run, run, group.entries());
    if (group.entries() != null && !changes.allGrantedAsAsked()) {
      String text = JournalRow.writeAnswers(answers);
      tables.journal().answer(run, seq, text);
      tables.resources().refer(run, run, text);
    } else if (seq == 0 && !answers.isEmpty()) {
      tables.answered().add(group.op(), answers);
    }
    return new Landed(answers, changes.woken());
  }
}
