package dev.hapax.engine;

import dev.hapax.run.Answer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what a run writes and hands it over as one group per commit. Used by the run's thread;
 * the timer may flush what has been gathered for too long, so the gathering is guarded by the
 * writer's monitor, under which nothing blocks.
 */
final class RunWriter {
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;
  private final Lingering lingering;
  private final long run;
  private final long owner;
  private @Nullable NewRun toInsert;
  private @Nullable Begun begun;
  private long seq;
  private List<JournalEntry> entries = new ArrayList<>();
  private List<Change> changes = new ArrayList<>();
  private final List<Committer.Ticket> unawaited = new ArrayList<>();

  /**
   * For a run that its first commit inserts. A body that does not come to a commit in time does not
   * hold up whoever started the run.
   */
  RunWriter(Engine.Parts parts, NewRun toInsert, Begun begun) {
    this(parts, toInsert.number(), 0);
    this.toInsert = toInsert;
    this.begun = begun;
    lingering.watch(this, 0);
  }

  /** For a run that belongs to this process and whose journal ends at {@code seq}. */
  RunWriter(Engine.Parts parts, long run, long seq) {
    this.committer = parts.committer();
    this.clock = parts.clock();
    this.ids = parts.ids();
    this.lingering = parts.lingering();
    this.owner = parts.owner();
    this.run = run;
    this.seq = seq;
  }

  synchronized void add(JournalEntry entry, Change... rows) {
    entries.add(entry);
    changes.addAll(List.of(rows));
    if (entry instanceof JournalEntry.EffectDone || entry instanceof JournalEntry.EffectFailed) {
      lingering.watch(this, seq);
    }
  }

  synchronized void add(Change change) {
    changes.add(change);
  }

  synchronized boolean isInserted() {
    return toInsert == null;
  }

  /** Makes everything that was added durable and answers the claims and attempts among it. */
  List<Answer> commit() {
    List<Committer.Ticket> tickets;
    synchronized (this) {
      if (hasSomething()) {
        submit();
      }
      tickets = List.copyOf(unawaited);
      unawaited.clear();
    }
    List<Answer> answers = List.of();
    for (Committer.Ticket ticket : tickets) {
      answers = landed(ticket.await());
    }
    return answers;
  }

  /**
   * Hands over what is still here from before; its run has not come to its next commit. Does not
   * wait for it.
   */
  synchronized void flushSince(long position) {
    if (seq == position && hasSomething()) {
      submit();
    }
  }

  private boolean hasSomething() {
    return toInsert != null || !entries.isEmpty() || !changes.isEmpty();
  }

  private void submit() {
    NewRun insert = toInsert;
    Head head = insert != null ? new Head.Insert(insert, owner) : new Head.Owned(run, owner, seq);
    String text = entries.isEmpty() && changes.isEmpty() ? null : JournalRow.write(entries);
    var group = new Group(ids.next(), clock.now(), head, changes, text);
    Begun starter = insert == null ? null : begun;
    unawaited.add(starter == null ? committer.submit(group) : committer.submit(group, starter));
    toInsert = null;
    seq += text == null ? 0 : 1;
    entries = new ArrayList<>();
    changes = new ArrayList<>();
  }

  private static List<Answer> landed(GroupAnswer answer) {
    return switch (answer) {
      case GroupAnswer.Landed landed -> landed.answers();
      case GroupAnswer.Lost _ -> throw new Lost();
      case GroupAnswer.Exists(var run) -> throw new Exists(run);
      case GroupAnswer.Refused(var problem) -> throw new Refused(problem);
    };
  }

  /** Somebody else has written to the run: it is no longer ours. */
  static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The run that was to be inserted is there already. */
  static final class Exists extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Run run;

    Exists(Run run) {
      this.run = run;
    }

    Run run() {
      return run;
    }
  }

  /** The database refuses the run's data. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String problem) {
      super(problem);
    }
  }
}
