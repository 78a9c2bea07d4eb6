package dev.hapax.testkit.simulation;

import dev.hapax.flow.InboxEvent;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What can be done wrong where runs come from: gates, events, schedules, and what is remembered of
 * them.
 */
final class BrokenDoor {
  private BrokenDoor() {}

  /** Runs are let in without a look at their flow's limit. */
  static final class GateIgnored extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("commit")
          ? store.commit(groups((Batch) call.first(), GateIgnored::without))
          : call.on(store);
    }

    private static Group without(Group group) {
      return group.head() instanceof Head.Insert(var run, var owner)
          ? new Group(
              group.op(),
              group.at(),
              new Head.Insert(ungated(run), owner),
              group.changes(),
              group.entries(),
              group.item())
          : group;
    }

    private static NewRun ungated(NewRun run) {
      return new NewRun(
          run.number(),
          run.id(),
          run.tenant(),
          run.flow(),
          run.release(),
          run.key(),
          run.fingerprint(),
          run.input(),
          run.timeoutAt(),
          run.parent(),
          run.depth(),
          run.succession(),
          null,
          run.startedBy(),
          run.search());
    }
  }

  /** The object of an event is not kept, so an old event is not noticed. */
  static final class VersionsIgnored extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("commit")
          ? store.commit(groups((Batch) call.first(), VersionsIgnored::without))
          : call.on(store);
    }

    private static Group without(Group group) {
      return changes(
          group,
          change ->
              change instanceof Change.Receive receive
                  ? new Change.Receive(
                      about(receive.event()),
                      receive.run(),
                      receive.returnsFirst(),
                      receive.refusal(),
                      receive.problem())
                  : change);
    }

    private static InboxEvent about(InboxEvent event) {
      return new InboxEvent(
          event.number(),
          event.tenant(),
          event.source(),
          event.event(),
          null,
          null,
          event.payload(),
          event.flow(),
          event.outcome(),
          event.run(),
          event.detail(),
          event.receivedAt(),
          event.redeliveries());
    }
  }

  /** A schedule continues with its next instant and ignores those it missed. */
  static final class MissedForgotten extends StoreMutation {
    private @Nullable Store known;

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      boolean isFirst = call.is("schedules") && !store.equals(known);
      known = isFirst ? store : known;
      return isFirst && answer instanceof List<?> rows
          ? rows.stream().map(row -> without((ScheduleRecord) row)).toList()
          : answer;
    }

    private static ScheduleRecord without(ScheduleRecord row) {
      return new ScheduleRecord(
          row.tenant(),
          row.name(),
          row.flow(),
          null,
          row.lastAt(),
          row.isPaused(),
          row.note(),
          row.version());
    }
  }

  /** An effect of which only a tombstone is left is sent again. */
  static final class TombstoneIgnored extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      return call.is("commit") ? BrokenFeature.answers(answer, TombstoneIgnored::granted) : answer;
    }

    private static Answer granted(Answer answer) {
      return answer instanceof ClaimAnswer.Expired expired
          ? new ClaimAnswer.Granted(expired.effect(), expired.revision())
          : answer;
    }
  }

  /** No alert is sent: the message is left out of its commit. */
  static final class AlertsDropped extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("commit")
          ? store.commit(groups((Batch) call.first(), AlertsDropped::without))
          : call.on(store);
    }

    private static Group without(Group group) {
      String entries = group.entries();
      return entries == null || !entries.contains("\"alerted\"")
          ? group
          : new Group(
              group.op(),
              group.at(),
              group.head(),
              group.changes().stream().filter(it -> !(it instanceof Change.Spawn)).toList(),
              entries,
              group.item());
    }
  }

  static Batch groups(Batch batch, UnaryOperator<Group> change) {
    return new Batch(batch.groups().stream().map(change).toList());
  }

  static Group changes(Group group, UnaryOperator<Change> change) {
    return new Group(
        group.op(),
        group.at(),
        group.head(),
        group.changes().stream().map(change).toList(),
        group.entries(),
        group.item());
  }
}
