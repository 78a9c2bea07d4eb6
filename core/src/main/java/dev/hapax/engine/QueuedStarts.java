package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.pass.Suspension;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.flow.RunStatus;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Makes runs durable that cannot begin at once: there is no room, or it is not their turn. */
final class QueuedStarts {
  private final EngineParts parts;
  private final FlowRates rates;
  private final LongConsumer wake;

  QueuedStarts(EngineParts parts, FlowRates rates, LongConsumer wake) {
    this.parts = parts;
    this.rates = rates;
    this.wake = wake;
  }

  /** There is no room: the run has no owner, and is taken up later. */
  void withoutRoom(NewRun run, PendingStart pendingStart) {
    var head = new Head.Insert(run, null);
    var group = new Group(parts.ids().next(), parts.clock().now(), head, List.of(), null);
    parts.committer().submit(group, pendingStart.then(_ -> wake.accept(run.number())));
  }

  /** The rate of its flow gives the run a later turn. */
  void untilItsTurn(NewRun run, DestinationLimiter.Entry.Later turn, PendingStart pendingStart) {
    Instant due = Objects.requireNonNull(Suspension.earlier(turn.at(), run.timeoutAt()));
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Insert(run, parts.owner()), // one without an owner would be due at once
            List.of(new Change.Release(RunStatus.QUEUED, due)),
            JournalRow.write(List.of(awaited(turn))));
    parts.committer().submit(group, pendingStart.then(answer -> isDurable(run, due, answer)));
  }

  private void isDurable(NewRun run, Instant due, GroupAnswer answer) {
    switch (answer) {
      case GroupAnswer.Landed _, GroupAnswer.Queued _ -> parts.timer().noteDue(run.number(), due);
      default -> rates.forget(run);
    }
  }

  static JournalEntry awaited(DestinationLimiter.Entry.Later turn) {
    return new RunEntry.TurnAwaited(null, turn.because(), turn.at());
  }
}
