package dev.hapax.testkit.memory;

import dev.hapax.run.CallAnswer;
import dev.hapax.run.CallRule;
import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import dev.hapax.run.WaitCycle;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import org.jspecify.annotations.Nullable;

/** What a run does to the children that it calls, in the calling run's group. */
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

  CallAnswer call(Change.Call call) {
    long number = call.child().number();
    Run present = tables.run(call.child().id());
    if (present == null) {
      changes.begin(call.child());
      tables.addWaiter(number, caller);
      return new CallAnswer.UnderWay(number, true, true, false);
    }
    return carryOut(CallRule.meets(present, call.child(), call.anyInput(), call.retry()));
  }

  CallAnswer await(Change.Await await, boolean canceled) {
    Run child = tables.run(await.child());
    return child == null
        ? new CallAnswer.Gone(await.child())
        : carryOut(CallRule.looksAgain(child, caller, canceled ? null : await.retry()));
  }

  CallAnswer stop(Change.StopChild stop) {
    Run child = tables.run(stop.child());
    if (child == null) {
      return new CallAnswer.Gone(stop.child());
    }
    if (!child.status().isEnd() && !CallRule.isOwn(child, caller)) {
      tables.removeWaiter(stop.child(), caller);
      return new CallAnswer.LetGo(stop.child());
    }
    if (!child.status().isEnd()) {
      changes.cancel(stop.child(), stop.cancel());
    }
    return carryOut(CallRule.looksAgain(child, caller, null));
  }

  private CallAnswer carryOut(CallRule ruled) {
    CallAnswer answer = ruled.answer();
    if (!(answer instanceof CallAnswer.UnderWay)) {
      return answer;
    }
    if (WaitCycle.<RuntimeException>closes(caller, answer.child(), tables::waiters)) {
      return new CallAnswer.Cycle(answer.child());
    }
    reopen(answer.child(), ruled.reopening());
    tables.addWaiter(answer.child(), caller);
    return answer;
  }

  private void reopen(long child, CallRule.@Nullable Reopening how) {
    if (how == null) {
      return;
    }
    tables.put(
        new JournalRow(
            child, tables.lastSeq(child) + 1, group.op(), group.at(), how.entries(), null));
    changes.reopen(child, new Change.Reopen(how.input(), how.fingerprint(), how.timeoutAt()));
  }
}
