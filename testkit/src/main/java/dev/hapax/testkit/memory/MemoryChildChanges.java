package dev.hapax.testkit.memory;

import dev.hapax.flow.Run;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.start.CallRule;
import dev.hapax.run.wait.WaitCycle;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import org.jspecify.annotations.Nullable;

/** Changes of a run to the children that it calls, in the calling run's group. */
final class MemoryChildChanges {
  private final MemoryTables tables;
  private final MemoryGroupChanges changes;
  private final long caller;
  private final Group group;

  MemoryChildChanges(MemoryTables tables, MemoryGroupChanges changes, long caller, Group group) {
    this.tables = tables;
    this.changes = changes;
    this.caller = caller;
    this.group = group;
  }

  CallAnswer call(Change.Call call) {
    long number = call.child().number();
    return switch (tables.retention().holder(call.child().id())) {
      case null -> {
        changes.begin(call.child());
        tables.addWaiter(number, caller);
        yield new CallAnswer.UnderWay(number, true, true, false);
      }
      case KeyHolder.Present(var present, var _) ->
          carryOut(CallRule.meets(present, call.child(), call.anyInput(), call.retry()));
      case KeyHolder.Expired expired -> new CallAnswer.Gone(expired.number());
    };
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
    reopen(answer.child(), ruled.reopening()); // this may put it in line
    if (WaitCycle.<RuntimeException>closes(
        caller, answer.child(), tables::waiters, changes::before)) {
      return new CallAnswer.Cycle(answer.child());
    }
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
    changes.reopen(
        child,
        new Change.Reopen(how.input(), how.fingerprint(), how.timeoutAt(), null, how.search()));
  }
}
