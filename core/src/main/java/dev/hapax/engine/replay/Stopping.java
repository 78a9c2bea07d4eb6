package dev.hapax.engine.replay;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a run is to end before its body, and how its journal and its end record the reason. */
public final class Stopping {

  /** Why a run is to end before its body does. */
  public enum Cause {
    CANCEL,
    TIMEOUT,
    /** The run compensates: the body is only replayed. */
    COMPENSATION
  }

  private final RunFacts facts;
  private final boolean fromTheStart;
  private volatile @Nullable Cause cause;
  private volatile Run.@Nullable Cancel cancel;
  // Used by the thread that decides how the run ends.
  private boolean cancelNoted;
  private boolean timeoutNoted;

  public Stopping(RunFacts facts, Replay replay, Run.@Nullable Cancel cancel, Instant now) {
    this.facts = facts;
    this.cancel = cancel;
    this.cancelNoted = replay.cancelNoted();
    this.timeoutNoted = replay.timeoutNoted();
    if (replay.compensation() != null) {
      this.cause = Cause.COMPENSATION;
    } else if (cancel != null) {
      this.cause = Cause.CANCEL;
    } else if (replay.timeoutNoted() || isTimedOut(now)) {
      this.cause = Cause.TIMEOUT;
    }
    this.fromTheStart = cause != null;
  }

  private boolean isTimedOut(Instant now) {
    Instant until = facts.timeoutAt();
    return until != null && !now.isBefore(until);
  }

  /** Requests the stop; false if it was requested before. */
  public boolean ask(Cause why, Run.@Nullable Cancel wish) {
    if (cancel == null) {
      cancel = wish;
    }
    if (cause != null) {
      return false;
    }
    cause = why;
    return true;
  }

  public boolean isAsked() {
    return cause != null;
  }

  /** Whether this pass began after the stop was requested. */
  public boolean isFromTheStart() {
    return fromTheStart;
  }

  public boolean isToCompensate() {
    Run.Cancel wish = cancel;
    return wish != null && wish.compensate();
  }

  /**
   * Returns the entries that the journal does not have yet, once. A cancel is recorded however the
   * run ends, because it was accepted.
   */
  public List<JournalEntry> toNote() {
    Run.Cancel wish = cancel;
    Instant until = facts.timeoutAt();
    List<JournalEntry> toNote = new ArrayList<>();
    if (wish != null && !cancelNoted) {
      toNote.add(new RunEntry.CancelRequested(wish.actor(), wish.reason()));
      cancelNoted = true;
    }
    if (cause == Cause.TIMEOUT && until != null && !timeoutNoted) {
      toNote.add(new RunEntry.TimedOut(until));
      timeoutNoted = true;
    }
    return toNote;
  }

  /** Whether the journal holds the cancel, or will with the next entries. */
  public boolean isCancelHeard() {
    return cancelNoted;
  }

  /** Returns how the run ends. */
  public RunEntry.Ended end() {
    if (cause == Cause.TIMEOUT) {
      String message =
          "the run took longer than the timeout of its flow allows, until " + facts.timeoutAt();
      return new RunEntry.Ended(RunStatus.FAILED, null, Failure.of("timeout", message, true));
    }
    return new RunEntry.Ended(
        RunStatus.CANCELED, null, Failure.of("canceled", "the run was canceled", true));
  }

  /** The reason that the runs called by this one receive. */
  public String reasonForCalled() {
    Run.Cancel wish = cancel;
    if (cause == Cause.TIMEOUT) {
      return "the run that called it took longer than its flow allows";
    }
    return wish == null
        ? "the run that called it undoes its effects"
        : "the run that called it was canceled by " + wish.actor();
  }
}
