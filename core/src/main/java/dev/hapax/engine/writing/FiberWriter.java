package dev.hapax.engine.writing;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries of one fiber and submits them as one group per commit. The fiber's thread
 * uses it, and the timer flushes entries that have waited too long; the monitor guards the
 * collection, and nothing blocks while holding it.
 */
public final class FiberWriter implements DelayedFlush.Flushable {
  private final RunWriter run;
  private final DelayedFlush delayedFlush;
  private final @Nullable String item;
  private List<JournalEntry> entries = new ArrayList<>();
  private List<Change> changes = new ArrayList<>();
  private final List<Committer.Ticket> unawaited = new ArrayList<>();
  private long handedOver;

  public FiberWriter(RunWriter run, DelayedFlush delayedFlush, @Nullable String item) {
    this.run = run;
    this.delayedFlush = delayedFlush;
    this.item = item;
  }

  /** Inserts the run soon, so that its caller does not wait for a body that commits late. */
  public void insertSoon() {
    delayedFlush.watch(this, 0);
  }

  public synchronized void add(JournalEntry entry, Change... rows) {
    entries.add(entry);
    changes.addAll(List.of(rows));
    if (isAwaitedByOthers(entry)) {
      delayedFlush.watch(this, handedOver);
    }
  }

  private static boolean isAwaitedByOthers(JournalEntry entry) {
    return switch (entry) {
      case EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          StepEntry.Published _,
          LockEntry.LockReleased _ ->
          true;
      case EffectEntry.Claimed _,
          EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.InReview _,
          EffectEntry.Settled _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ ->
          false;
      case StepEntry.StepDone _,
          StepEntry.Branched _,
          StepEntry.StepFailed _,
          StepEntry.ReadFailed _,
          StepEntry.StepSettled _,
          StepEntry.KvAsked _,
          LockEntry.LockAsked _ ->
          false;
      case LoopEntry _, WaitEntry _, CallEntry _, RunEntry _ -> false;
    };
  }

  public synchronized void add(Change change) {
    changes.add(change);
  }

  /** Makes everything added durable and returns the answers to the last group's questions. */
  public List<Answer> commit() {
    List<Committer.Ticket> tickets;
    synchronized (this) {
      flush();
      tickets = List.copyOf(unawaited);
      unawaited.clear();
    }
    List<Answer> answers = List.of();
    for (Committer.Ticket ticket : tickets) {
      answers = RunWriter.landed(ticket).answers();
    }
    return answers;
  }

  /** Waits for the oldest groups that were handed over, until only this many are under way. */
  public void awaitAllBut(int most) {
    while (true) {
      Committer.Ticket oldest;
      synchronized (this) {
        if (unawaited.size() <= most) {
          return;
        }
        oldest = unawaited.removeFirst();
      }
      RunWriter.landed(oldest);
    }
  }

  /** Hands over the collected entries without waiting for them. */
  public synchronized void flush() {
    if (!run.isInserted() || !entries.isEmpty() || !changes.isEmpty()) {
      unawaited.add(run.submit(entries, changes, item));
      handedOver++;
      entries = new ArrayList<>();
      changes = new ArrayList<>();
    }
  }

  /** Hands over entries that are still here since then; their fiber has not committed. */
  @Override
  public synchronized void flushSince(long position) {
    if (handedOver == position) {
      flush();
    }
  }

  /** The other fiber awaits the groups that this one has not, before it writes anything. */
  public void handOverTo(FiberWriter other) {
    List<Committer.Ticket> tickets;
    synchronized (this) {
      flush();
      tickets = List.copyOf(unawaited);
      unawaited.clear();
    }
    synchronized (other) {
      other.unawaited.addAll(tickets);
    }
  }
}
