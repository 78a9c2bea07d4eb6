package dev.hapax.testkit.simulation;

import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What can be done wrong with waits, loops, locks and compensation. */
final class BrokenFeature {
  private BrokenFeature() {}

  /** The second answer hears that it decided. */
  static final class SecondAnswerDecides extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      return call.is("commit") ? answers(answer, SecondAnswerDecides::asFirst) : answer;
    }

    private static Answer asFirst(Answer answer) {
      return answer instanceof Answer.Heard heard
          ? new Answer.Heard(
              heard.number(), heard.state(), heard.decision(), heard.by(), heard.at(), true)
          : answer;
    }
  }

  /** Two runs hear that they hold the lock. */
  static final class LockForEverybody extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      return call.is("commit")
          ? answers(answer, it -> it instanceof Answer.LockTaken ? new Answer.Locked(1) : it)
          : answer;
    }
  }

  /** An item's end is not read when the run comes back: it is handled again. */
  static final class ItemEndsForgotten extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      if (!call.is("itemRows") || !(answer instanceof List<?> rows)) {
        return answer;
      }
      return rows.stream()
          .map(row -> without((JournalRow) row, LoopEntry.ItemEnded.class::isInstance))
          .toList();
    }
  }

  /** An answer from outside is acknowledged, and then written: never, if the process dies. */
  static final class AnswerAcknowledgedFirst extends StoreMutation {
    private int answers;

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      if (!call.is("commit")) {
        return call.on(store);
      }
      Group first = ((Batch) call.first()).groups().getFirst();
      boolean isAlone = ((Batch) call.first()).groups().size() == 1;
      if (isAlone
          && !first.changes().isEmpty()
          && first.changes().getFirst() instanceof Change.AnswerWait wait
          && ++answers % 3 == 0) {
        var heard =
            new Answer.Heard(
                wait.number(), WaitState.DECIDED, wait.decision(), wait.by(), first.at(), true);
        return List.of(new GroupAnswer.Landed(List.of(heard), List.of()));
      }
      return call.on(store);
    }
  }

  /** A person is not asked before what another run has reused is undone. */
  static final class ReusedUndoneUnasked extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      return call.is("commit") ? answers(answer, ReusedUndoneUnasked::granted) : answer;
    }

    private static Answer granted(Answer answer) {
      return answer instanceof ClaimAnswer.ReviewFirst(long effect, int revision, var _)
          ? new ClaimAnswer.Granted(effect, revision)
          : answer;
    }
  }

  /** What was undone stays locked, as if it were still being undone. */
  static final class UndoneStaysLocked extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("commit")
          ? store.commit(unlockingNothing((Batch) call.first()))
          : call.on(store);
    }

    private static Batch unlockingNothing(Batch batch) {
      return new Batch(
          batch.groups().stream()
              .map(
                  group ->
                      new Group(
                          group.op(),
                          group.at(),
                          group.head(),
                          group.changes().stream()
                              .filter(change -> !(change instanceof Change.AfterUndo))
                              .toList(),
                          group.entries(),
                          group.item()))
              .toList());
    }
  }

  /** Only the last that a run wrote counts as a reference: what it kept before is collected. */
  static final class ReferencesForgotten extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("commit")
          ? store.commit(BrokenDoor.groups((Batch) call.first(), ReferencesForgotten::forgetting))
          : call.on(store);
    }

    private static Group forgetting(Group group) {
      if (group.entries() == null || !(group.head() instanceof Head.Owned owned)) {
        return group;
      }
      List<Change> changes = new ArrayList<>(group.changes());
      changes.add(new Change.DropReferences(owned.run()));
      return new Group(
          group.op(), group.at(), group.head(), changes, group.entries(), group.item());
    }
  }

  private static JournalRow without(JournalRow row, Predicate<JournalEntry> which) {
    List<JournalEntry> entries = new ArrayList<>(row.readEntries());
    if (!entries.removeIf(which)) {
      return row;
    }
    return new JournalRow(
        row.run(),
        row.seq(),
        row.op(),
        row.at(),
        JournalRow.write(entries),
        row.answers(),
        row.item());
  }

  static @Nullable Object answers(@Nullable Object groups, UnaryOperator<Answer> change) {
    if (!(groups instanceof List<?> list)) {
      return groups;
    }
    return list.stream()
        .map(
            group ->
                group instanceof GroupAnswer.Landed(var answers, var woken)
                    ? new GroupAnswer.Landed(answers.stream().map(change).toList(), woken)
                    : group)
        .toList();
  }
}
