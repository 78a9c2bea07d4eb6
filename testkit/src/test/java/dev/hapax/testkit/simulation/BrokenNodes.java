package dev.hapax.testkit.simulation;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.LeaseRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be done wrong where nodes share a store. */
final class BrokenNodes {
  private BrokenNodes() {}

  static Mutation withLeases(LeaseRule rule) {
    return new Mutation() {
      @Override
      public LeaseRule leases() {
        return rule;
      }
    };
  }

  static final class Unfenced implements LeaseRule {
    @Override
    public boolean letsWrite(boolean hasLease) {
      return true;
    }
  }

  static final class Revived implements LeaseRule {
    @Override
    public boolean letsRenew(boolean hasLease) {
      return true;
    }
  }

  static final class NotEnded implements LeaseRule {
    @Override
    public boolean endsFirst() {
      return false;
    }
  }

  /** By the clock of a node that is ahead, instead of by the database's. */
  static final class JudgedByAFastClock implements LeaseRule {
    private static final Duration AHEAD = Duration.ofMinutes(2);

    @Override
    public boolean isOver(Instant expiresAt, Instant now) {
      return expiresAt.isBefore(now.plus(AHEAD));
    }
  }

  /** Takes a server that took over for the one that was there before. */
  static final class WithoutFailovers extends StoreMutation {
    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      return call.is("failovers") ? List.of() : call.on(store);
    }
  }

  /** Treats a run as abandoned if it was not written for a while, no matter which lease is held. */
  static final class ByTimestamp extends StoreMutation {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private long stolen;

    @Override
    @Nullable Object call(Store store, Call call) throws Throwable {
      Object answer = call.on(store);
      return answer instanceof HeartbeatReply heard
          ? withAbandoned(store, (NodeReport) call.first(), heard)
          : answer;
    }

    private HeartbeatReply withAbandoned(Store store, NodeReport report, HeartbeatReply heard) {
      List<Long> adopted = new ArrayList<>(heard.adopted());
      Instant abandoned = store.newestAt().minus(A_WHILE);
      for (Run run : store.runs(RunFilter.of(UnreliableWorld.TENANT))) {
        Long owner = run.owner();
        if (owner != null
            && owner != report.owner()
            && adopted.size() < report.room()
            && take(store, run, owner, report.owner(), abandoned)) {
          adopted.add(run.number());
        }
      }
      return new HeartbeatReply(
          heard.again(), adopted, heard.canceled(), heard.nextDue(), heard.nodes());
    }

    private boolean take(Store store, Run run, long from, long to, Instant abandoned) {
      List<JournalRow> journal = store.journal(run.number());
      Instant written = journal.isEmpty() ? run.createdAt() : journal.getLast().at();
      if (!written.isBefore(abandoned)) {
        return false;
      }
      long seq = journal.isEmpty() ? 0 : journal.getLast().seq();
      var take =
          new Group(
              --stolen,
              written,
              new Head.Owned(run.number(), from, seq),
              List.of(new Change.Take(to)),
              null);
      return store.commit(new Batch(List.of(take))).getFirst() instanceof GroupAnswer.Landed;
    }
  }
}
