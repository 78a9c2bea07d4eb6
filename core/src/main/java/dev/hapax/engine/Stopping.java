package dev.hapax.engine;

import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a run is to end before its body, and how its journal and its end record the reason. */
final class Stopping {

  /** Why a run is to end before its body does. */
  enum Cause {
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

  Stopping(RunFacts facts, Replay replay, Run.@Nullable Cancel cancel, Instant now) {
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
  boolean ask(Cause why, Run.@Nullable Cancel wish) {
    if (cancel == null) {
      cancel = wish;
    }
    if (cause != null) {
      return false;
    }
    cause = why;
    return true;
  }

  boolean isAsked() {
    return cause != null;
  }

  /** Whether this pass began after the stop was requested. */
  boolean isFromTheStart() {
    return fromTheStart;
  }

  boolean isToCompensate() {
    Run.Cancel wish = cancel;
    return wish != null && wish.compensate();
  }

  /**
   * Returns the entries that the journal does not have yet, once. A cancel is recorded however the
   * run ends, because it was accepted.
   */
  List<JournalEntry> toNote() {
    Run.Cancel wish = cancel;
    Instant until = facts.timeoutAt();
    List<JournalEntry> toNote = new ArrayList<>();
    if (wish != null && !cancelNoted) {
      toNote.add(new JournalEntry.CancelRequested(wish.actor(), wish.reason()));
      cancelNoted = true;
    }
    if (cause == Cause.TIMEOUT && until != null && !timeoutNoted) {
      toNote.add(new JournalEntry.TimedOut(until));
      timeoutNoted = true;
    }
    return toNote;
  }

  /** Whether the journal holds the cancel, or will with the next entries. */
  boolean isCancelHeard() {
    return cancelNoted;
  }

  /** Returns how the run ends. */
  JournalEntry.Ended end() {
    if (cause == Cause.TIMEOUT) {
      String message = "the run took longer than its flow allows, until " + facts.timeoutAt();
      return new JournalEntry.Ended(RunStatus.FAILED, null, Failure.of("timeout", message, true));
    }
    return new JournalEntry.Ended(
        RunStatus.CANCELED, null, Failure.of("canceled", "the run was canceled", true));
  }

  /** The reason that the runs called by this one receive. */
  String reasonForCalled() {
    Run.Cancel wish = cancel;
    return cause == Cause.TIMEOUT || wish == null
        ? "the run that called it took longer than its flow allows"
        : "the run that called it was canceled by " + wish.actor();
  }
}
