package dev.hapax.engine.writing;

import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands over the groups of all fibers of a run in one order, each conditional on the one before. If
 * a group is durable, everything that was handed over before it is durable too.
 */
public final class RunWriter {
  private final Ports ports;
  private final long run;
  private @Nullable NewRun toInsert;
  private @Nullable PendingStart pendingStart;
  private long seq;
  private volatile Committer.@Nullable Ticket inserting;
  private @Nullable Runnable whenFurther;
  // Guarded by this: groups land in their order, so the newest is the last to be known.
  private Committer.@Nullable Ticket newest;

  /** What every run of this process is written with. */
  public record Ports(Committer committer, Clock clock, IdSource ids, long owner) {}

  /** For a run that its first commit inserts. */
  public RunWriter(Ports ports, NewRun toInsert, PendingStart pendingStart) {
    this(ports, toInsert.number(), 0);
    this.toInsert = toInsert;
    this.pendingStart = pendingStart;
  }

  /** For a run that belongs to this process and whose journal ends at {@code seq}. */
  public RunWriter(Ports ports, long run, long seq) {
    this.ports = ports;
    this.run = run;
    this.seq = seq;
  }

  /**
   * Calls this once, when the run is about to write that it got further than its journal said
   * before. What it hands to the committer is durable when that is: a run that is seen to get
   * further is no suspect any more, also if the process ends at that moment.
   */
  public synchronized void whenFurther(Runnable what) {
    whenFurther = what;
  }

  private void tellIfFurther(List<JournalEntry> entries, List<Change> changes) {
    Runnable what = whenFurther;
    if (what != null && ProgressRule.isIn(entries, changes)) {
      whenFurther = null;
      what.run();
    }
  }

  public synchronized boolean isInserted() {
    return toInsert == null;
  }

  /** Runs under the monitor, so that groups arrive in the order of their places. Never blocks. */
  synchronized Committer.Ticket submit(
      List<JournalEntry> entries, List<Change> changes, @Nullable String item) {
    NewRun insert = toInsert;
    long owner = ports.owner();
    Head head = insert != null ? new Head.Insert(insert, owner) : new Head.Owned(run, owner, seq);
    String text = entries.isEmpty() && changes.isEmpty() ? null : JournalRow.write(entries);
    var group = new Group(ports.ids().next(), ports.clock().now(), head, changes, text, item);
    PendingStart starter = insert == null ? null : pendingStart;
    toInsert = null;
    seq += text == null ? 0 : 1;
    if (starter == null) {
      tellIfFurther(entries, changes);
      newest = ports.committer().submit(group);
      return newest;
    }
    Committer.Ticket ticket = ports.committer().submit(group, starter);
    inserting = ticket;
    newest = ticket;
    return ticket;
  }

  /** The place of the newest row, durable or not. */
  public synchronized long seq() {
    return seq;
  }

  /** Waits until nothing is under way any more, with any outcome. */
  public void awaitAll() {
    Committer.Ticket ticket;
    synchronized (this) {
      ticket = newest;
    }
    if (ticket != null) {
      ticket.await();
    }
  }

  /** Waits until the run, whose insert was handed over, is durable and has its slot. */
  public void awaitInsert() {
    Committer.Ticket ticket = inserting;
    if (ticket != null) {
      landed(ticket);
      inserting = null;
    }
  }

  /** Returns the answer to the ticket's group; throws if it has not landed. */
  static GroupAnswer.Landed landed(Committer.Ticket ticket) {
    return switch (ticket.await()) {
      case GroupAnswer.Landed landed -> landed;
      case GroupAnswer.Lost _ -> throw new Lost();
      case GroupAnswer.Exists _, GroupAnswer.Expired _ -> throw new Exists();
      case GroupAnswer.Refused(var problem) -> throw new Refused(problem);
      case GroupAnswer.Queued _, GroupAnswer.Busy _, GroupAnswer.NoSpace _ -> throw new NoSlot();
      case GroupAnswer.Blocked _ ->
          throw new IllegalStateException("the committer keeps groups that are blocked");
    };
  }

  /** Another process has written to the run: it is no longer ours. */
  public static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The run that was to be inserted exists already, or did. */
  public static final class Exists extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * The run waits for its slot outside memory, or was not created because there was no slot or no
   * space in the store.
   */
  public static final class NoSlot extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The database refuses the run's data. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String problem) {
      super(problem);
    }
  }
}
