package dev.hapax.testkit.memory;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.wait.Wait;
import dev.hapax.run.wait.WaitRule;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Changes of one group to waits. */
final class WaitChanges {
  private final MemoryTables tables;
  private final Group group;

  WaitChanges(MemoryTables tables, Group group) {
    this.tables = tables;
    this.group = group;
  }

  void open(Wait wait) {
    if (tables.findWait(wait.number()) != null) {
      return;
    }
    Wait holder = holder(wait.token());
    if (holder != null && holder.run() == wait.run()) {
      return;
    }
    if (holder != null) {
      tables.put(withoutToken(holder));
    }
    tables.put(wait);
  }

  private @Nullable Wait holder(@Nullable Fingerprint token) {
    return token == null
        ? null
        : tables.waits().stream()
            .filter(wait -> token.equals(wait.token()))
            .findFirst()
            .orElse(null);
  }

  /** Returns false if there is no such wait. */
  boolean await(Change.AwaitWait change, LongConsumer wake) {
    Wait wait = tables.findWait(change.number());
    if (wait == null) {
      return false;
    }
    tables.put(wait.awaited(wait.isOpen() ? change.expiresAt() : wait.expiresAt()));
    if (!wait.isOpen()) {
      wake.accept(wait.run());
    }
    return true;
  }

  /** Returns null if there is no such wait. */
  @Nullable Answer answer(Change.AnswerWait answer, LongConsumer wake) {
    Wait wait = tables.findWait(answer.number());
    if (wait == null) {
      return null;
    }
    var rule = WaitRule.answer(wait, answer.decision(), answer.by(), group.op(), group.at());
    write(rule, wake);
    tables.resources().refer(wait.run(), wait.tenant(), answer.decision());
    var later = new Wait.LaterAnswer(wait.number(), group.at(), answer.by(), answer.decision());
    if (rule.isLater() && tables.putLaterAnswer(group.op(), later)) {
      tables.put(rule.after().withLaterAnswers(wait.laterAnswers() + 1));
    }
    return rule.heard();
  }

  @Nullable Answer expire(long number, LongConsumer wake) {
    Wait wait = tables.findWait(number);
    if (wait == null) {
      return null;
    }
    var rule = WaitRule.expire(wait, group.op(), group.at());
    write(rule, wake);
    return rule.heard();
  }

  private void write(WaitRule rule, LongConsumer wake) {
    if (rule.changes()) {
      tables.put(rule.after());
      if (rule.after().isAwaited()) {
        wake.accept(rule.after().run());
      }
    }
  }

  void close(long run, boolean keepCallbacks) {
    for (Wait wait : tables.waits()) {
      boolean isKept = keepCallbacks && wait.kind() == Wait.Kind.CALLBACK;
      if (wait.run() == run && wait.isOpen() && !isKept) {
        tables.put(wait.closed(group.op(), group.at()));
      }
    }
  }

  void reopen(long run) {
    for (Wait wait : tables.waits()) {
      boolean wasUnanswered = wait.state() == WaitState.EXPIRED || wait.state() == WaitState.CLOSED;
      if (wait.run() == run && wait.kind() == Wait.Kind.CALLBACK && wasUnanswered) {
        tables.put(wait.reopened());
      }
    }
  }

  private static Wait withoutToken(Wait wait) {
    return new Wait(
        wait.number(),
        null,
        wait.tenant(),
        wait.run(),
        wait.step(),
        wait.kind(),
        wait.state(),
        wait.isAwaited(),
        wait.ask(),
        wait.roles(),
        wait.canRework(),
        wait.createdAt(),
        wait.expiresAt(),
        wait.onExpire(),
        wait.op(),
        wait.decision(),
        wait.by(),
        wait.settledAt(),
        wait.laterAnswers(),
        wait.keyVersion(),
        wait.limits());
  }
}
