package dev.hapax.store.jdbc;

import dev.hapax.flow.Run;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.start.CallRule;
import dev.hapax.run.wait.WaitCycle;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Applies a run's changes to the children that it calls, in the calling run's group. */
final class ChildChanges {
  private final Tables tables;
  private final GroupChanges changes;
  private final long caller;
  private final Group group;

  ChildChanges(Tables tables, GroupChanges changes, long caller, Group group) {
    this.tables = tables;
    this.changes = changes;
    this.caller = caller;
    this.group = group;
  }

  CallAnswer call(Change.Call call) throws SQLException {
    long number = call.child().number();
    return switch (tables.runs().insert(call.child(), null, group.at())) {
      case null -> {
        changes.begin(call.child());
        tables.waiters().add(number, caller);
        yield new CallAnswer.UnderWay(number, true, true, false);
      }
      case KeyHolder.Present(var present, var _) ->
          carryOut(CallRule.meets(present, call.child(), call.anyInput(), call.retry()));
      case KeyHolder.Expired expired -> new CallAnswer.Gone(expired.number());
    };
  }

  CallAnswer await(Change.Await await, boolean canceled) throws SQLException {
    Run child = tables.runs().find(await.child());
    return child == null
        ? new CallAnswer.Gone(await.child())
        : carryOut(CallRule.looksAgain(child, caller, canceled ? null : await.retry()));
  }

  CallAnswer stop(Change.StopChild stop) throws SQLException {
    Run child = tables.runs().find(stop.child());
    if (child == null) {
      return new CallAnswer.Gone(stop.child());
    }
    if (!child.status().isEnd() && !CallRule.isOwn(child, caller)) {
      tables.waiters().remove(stop.child(), caller);
      return new CallAnswer.LetGo(stop.child());
    }
    if (!child.status().isEnd()) {
      changes.cancel(stop.child(), stop.cancel());
    }
    return carryOut(CallRule.looksAgain(child, caller, null));
  }

  private CallAnswer carryOut(CallRule ruled) throws SQLException {
    CallAnswer answer = ruled.answer();
    if (!(answer instanceof CallAnswer.UnderWay)) {
      return answer;
    }
    reopen(answer.child(), ruled.reopening()); // may queue the child
    if (WaitCycle.closes(caller, answer.child(), tables.waiters()::of, changes::before)) {
      return new CallAnswer.Cycle(answer.child());
    }
    tables.waiters().add(answer.child(), caller);
    return answer;
  }

  private void reopen(long child, CallRule.@Nullable Reopening how) throws SQLException {
    if (how == null) {
      return;
    }
    tables.journal().appendLast(child, group, how.entries());
    changes.reopen(
        child,
        new Change.Reopen(how.input(), how.fingerprint(), how.timeoutAt(), null, how.search()));
  }
}
