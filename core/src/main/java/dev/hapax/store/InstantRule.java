package dev.hapax.store;

import dev.hapax.flow.Overlap;
import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Starts the runs of a schedule's instants, or decides that they get none, and what the schedule's
 * row says afterwards. Called by every store, over its own rows, so that all stores decide alike
 * and two nodes one after the other.
 */
public final class InstantRule<E extends Exception> {
  private final Runs<E> runs;

  public InstantRule(Runs<E> runs) {
    this.runs = runs;
  }

  /** The runs of the store, inside the transaction. */
  public interface Runs<E extends Exception> extends ReceiveRule.Spawning<E> {
    /** Whether the run with this id exists and has not ended. */
    boolean isOpen(String run) throws E;

    /** Asks an open run to cancel; one that was asked before keeps its first request. */
    void cancel(String run, Run.Cancel wish) throws E;

    /** Whether this very run was started, by an earlier submission of the same group. */
    boolean isStarted(NewRun run) throws E;
  }

  /** The row after the instants, and the answer to the group. */
  public record Decision(ScheduleRecord row, Answer.Fired answer) {}

  public Decision fire(Change.FireSchedule change) throws E {
    var firing = new Firing(change.schedule(), change.newNote());
    for (Instant passed : change.passedOver()) {
      firing.skip(passed, "a later instant was due too, and overlap is cancel-running");
    }
    for (Change.Due one : change.due()) {
      String open = change.overlap() == Overlap.ALLOW ? null : firing.openRun();
      if (open != null && change.overlap() == Overlap.QUEUE) {
        return firing.waitingAt(one.at(), change.lastDue());
      }
      if (open != null && change.overlap() == Overlap.SKIP) {
        firing.skip(one.at(), "run %s was still open, and overlap is skip".formatted(open));
        continue;
      }
      String holder = runs.busy(one.run());
      if (holder != null) {
        firing.skip(
            one.at(),
            "run %s has the slot of the flow's concurrency limit, and overflow is reject"
                .formatted(holder));
        continue;
      }
      if (open != null && !open.equals(one.run().id().toString())) { // its key may be the same
        runs.cancel(open, displacedBy(change.schedule().name(), one.run()));
      }
      firing.start(one);
    }
    return firing.done();
  }

  /** Answers a group that has landed before; writes nothing. */
  public Answer.Fired again(Change.FireSchedule change, ScheduleRecord stored) throws E {
    int started = 0;
    for (Change.Due one : change.due()) {
      started += runs.isStarted(one.run()) ? 1 : 0;
    }
    return new Answer.Fired(started, stored.skipped() - change.schedule().skipped());
  }

  private static Run.Cancel displacedBy(String schedule, NewRun next) {
    return new Run.Cancel(
        "schedule/" + schedule,
        "overlap is cancel-running, and run %s of the next instant begins".formatted(next.id()));
  }

  /** What has been decided so far. */
  private final class Firing {
    private final ScheduleRecord row;
    private @Nullable String lastRun;
    private @Nullable Instant lastAt;
    private int started;
    private long skipped;
    private @Nullable Instant firstSkipped;
    private @Nullable Instant lastSkipped;
    private @Nullable String why;
    private final @Nullable String newNote;

    Firing(ScheduleRecord row, @Nullable String newNote) {
      this.row = row;
      this.newNote = newNote;
      this.lastRun = row.lastRun();
      this.lastAt = row.lastAt();
    }

    @Nullable String openRun() throws E {
      return lastRun != null && runs.isOpen(lastRun) ? lastRun : null;
    }

    void start(Change.Due one) throws E {
      Answer answer = runs.spawn(one.run(), null);
      started += answer instanceof Answer.Spawned spawned && spawned.isFresh() ? 1 : 0;
      lastRun = one.run().id().toString();
      lastAt = one.at();
    }

    void skip(Instant at, String reason) {
      firstSkipped = firstSkipped == null ? at : firstSkipped;
      lastSkipped = at;
      why = reason;
      skipped++;
    }

    /** The instants from this one on wait: the row stays there until the run has ended. */
    Decision waitingAt(Instant next, Instant lastDue) {
      Instant until = row.queuedUntil();
      Instant later = until == null || until.isBefore(lastDue) ? lastDue : until;
      return decided(next, later);
    }

    Decision done() {
      Instant next = row.nextAt();
      Instant until = row.queuedUntil();
      boolean isDrained = until == null || next == null || next.isAfter(until);
      return decided(next, isDrained ? null : until);
    }

    private Decision decided(@Nullable Instant next, @Nullable Instant queuedUntil) {
      return new Decision(
          new ScheduleRecord(
              row.tenant(),
              row.name(),
              row.flow(),
              next,
              lastAt,
              row.isPaused(),
              note(),
              row.version(),
              lastRun,
              row.skipped() + skipped,
              queuedUntil),
          new Answer.Fired(started, skipped));
    }

    private @Nullable String note() {
      Instant first = firstSkipped;
      if (first == null) {
        return newNote == null ? row.note() : newNote;
      }
      String range = first.equals(lastSkipped) ? first.toString() : first + " to " + lastSkipped;
      String told = "skipped %s: %s".formatted(range, why);
      return newNote == null ? told : newNote + "; " + told;
    }
  }
}
