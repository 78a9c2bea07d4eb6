package dev.hapax.testkit.simulation;

import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be done wrong when a process takes up what another left. */
final class BrokenRecovery {
  private BrokenRecovery() {}

  static final class OnlyOnce extends StoreMutation {
    private boolean done;

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      if (call.is("heartbeat") && done) {
        return HeartbeatReply.alone(List.of());
      }
      Object answer = call.on(store);
      done = done || (answer instanceof HeartbeatReply heard && !heard.adopted().isEmpty());
      return answer;
    }
  }

  /** Treats a run as abandoned if it was not written for a while, no matter who owns it. */
  static final class ByTimestamp extends StoreMutation {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      if (!(answer instanceof HeartbeatReply heard)) {
        return answer;
      }
      Instant abandoned = store.newestAt().minus(A_WHILE);
      return HeartbeatReply.alone(
          heard.adopted().stream()
              .filter(run -> lastWritten(store, run).isBefore(abandoned))
              .toList());
    }

    private static Instant lastWritten(Store store, long run) {
      List<JournalRow> journal = store.journal(run);
      return journal.isEmpty() ? Instant.MIN : journal.getLast().at();
    }
  }

  /** A reader of a journal that ends with an attempt in flight finds that it was not applied. */
  static final class WithoutDoubts extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      if (!(answer instanceof StoredRun(var run, var _, var journal)) || journal.isEmpty()) {
        return answer;
      }
      JournalRow last = journal.getLast();
      JournalEntry end = last.readEntries().getLast();
      JournalEntry made =
          switch (end) {
            case EffectEntry.Claimed claim when last.answers() == null ->
                new EffectEntry.NotApplied(claim.step(), 1, 1, "surely not", last.at());
            case EffectEntry.SentAgain(var step, int revision, int attempt) ->
                new EffectEntry.NotApplied(step, revision, attempt, "surely not", last.at());
            default -> null;
          };
      if (made == null) {
        return answer;
      }
      var entries = new ArrayList<>(last.readEntries());
      entries.add(made);
      var rows = new ArrayList<>(journal);
      rows.set(
          rows.size() - 1,
          new JournalRow(
              last.run(),
              last.seq(),
              last.op(),
              last.at(),
              JournalRow.write(entries),
              last.answers()));
      return new StoredRun(run, last.seq(), rows);
    }
  }
}
