package dev.hapax.engine;

import dev.hapax.run.Answer;
import dev.hapax.run.JournalEntry;
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
final class FiberWriter implements DelayedFlush.Flushable {
  private final RunWriter run;
  private final DelayedFlush delayedFlush;
  private final @Nullable String lane;
  private List<JournalEntry> entries = new ArrayList<>();
  private List<Change> changes = new ArrayList<>();
  private final List<Committer.Ticket> unawaited = new ArrayList<>();
  private long handedOver;

  FiberWriter(RunWriter run, DelayedFlush delayedFlush, @Nullable String lane) {
    this.run = run;
    this.delayedFlush = delayedFlush;
    this.lane = lane;
  }

  /** Inserts the run soon, so that its caller does not wait for a body that commits late. */
  void insertSoon() {
    delayedFlush.watch(this, 0);
  }

  synchronized void add(JournalEntry entry, Change... rows) {
    entries.add(entry);
    changes.addAll(List.of(rows));
    if (entry instanceof JournalEntry.EffectDone
        || entry instanceof JournalEntry.EffectFailed
        || entry instanceof JournalEntry.Published
        || entry instanceof JournalEntry.LockReleased) { // others wait for it
      delayedFlush.watch(this, handedOver);
    }
  }

  synchronized void add(Change change) {
    changes.add(change);
  }

  /** Makes everything added durable and returns the answers to the last group's questions. */
  List<Answer> commit() {
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
  void awaitAllBut(int most) {
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
  synchronized void flush() {
    if (!run.isInserted() || !entries.isEmpty() || !changes.isEmpty()) {
      unawaited.add(run.submit(entries, changes, lane));
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
  void handOverTo(FiberWriter other) {
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
