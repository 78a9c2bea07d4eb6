package dev.hapax.engine;

import dev.hapax.effect.EffectProgress;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepJournal;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a person's decision to an effect in review, and passes a decision on to a run that was in
 * another node's memory when it was made.
 */
public final class Settling {
  private static final Logger log = LoggerFactory.getLogger(Settling.class);

  private final EngineParts parts;

  Settling(EngineParts parts) {
    this.parts = parts;
  }

  /** Returns the change of the effect's row by this decision. */
  public Change.Effect effect(StoredRun stored, EffectRecord row, EffectEntry.Settled settled) {
    boolean happened = settled.decision() == SettleDecision.HAPPENED;
    Kept kept = kept(stored, row);
    boolean staysDone = settled.decision() == SettleDecision.ABANDON;
    return new Change.Effect(
        row.number(),
        row.revision(),
        kept == null ? stateAfter(settled.decision()) : stateAfterRework(settled.decision()),
        row.attempts(),
        kept != null && staysDone ? kept.output() : settled.output(),
        kept != null && staysDone ? kept.externalId() : settled.externalId(),
        "%s by %s: %s".formatted(settled.decision().word(), settled.actor(), settled.reason()),
        happened ? StepJournal.of(parts.store(), stored, row.step()).origin() : null);
  }

  /**
   * Returns what a person may keep, if the review is about other content of an effect that was
   * done; null if it is about a doubt.
   */
  public @Nullable Kept kept(StoredRun stored, EffectRecord row) {
    return StepJournal.of(parts.store(), stored, row.step()).replay().stateOf(row.step())
                instanceof StepState.Open(var progress)
            && progress.kept() instanceof EffectProgress.Kept(var output, var externalId)
        ? new Kept(output, externalId)
        : null;
  }

  /** Refuses to undo an effect in review that cannot be undone, or whose run cannot do so now. */
  public void refuseUnlessUndoable(StoredRun stored, EffectRecord row) {
    Run run = stored.run();
    if (row.step().isUndo()) {
      throw new NotPossible(
          "effect %s (%s) undoes another one, so it cannot be undone: settle it as happened without compensate"
              .formatted(row.id(), row.key()));
    }
    if (run.isQuarantined()) {
      throw new NotPossible(
          "run %s is quarantined, so its code cannot undo its effects: resume it first"
              .formatted(run.id()));
    }
    EffectEntry.Claimed claim = StepJournal.of(parts.store(), stored, row.step()).claim();
    if (claim == null || !Boolean.TRUE.equals(claim.undoable())) {
      throw new NotPossible(
          "effect %s (%s) declares no compensation: settle it as happened, and undo it by hand at its destination"
              .formatted(row.id(), row.key()));
    }
    Run.Cancel first = run.cancel();
    if (first != null && !first.compensate()) {
      throw new NotPossible(
          "run %s is already being canceled without compensation, as %s requested: settle the effect as happened, and undo it by hand"
              .formatted(run.id(), first.actor()));
    }
  }

  /** The result of what was done before its content changed. */
  public record Kept(@Nullable String output, @Nullable String externalId) {}

  /** What was done stays done, unless a person says that it is not there. */
  private static EffectState stateAfterRework(SettleDecision decision) {
    return switch (decision) {
      case HAPPENED, ABANDON -> EffectState.DONE;
      case NOT_HAPPENED -> EffectState.UNDONE;
    };
  }

  private static EffectState stateAfter(SettleDecision decision) {
    return switch (decision) {
      case HAPPENED -> EffectState.DONE;
      case NOT_HAPPENED -> EffectState.PENDING;
      case ABANDON -> EffectState.ABANDONED;
    };
  }

  /**
   * Returns the change of the effect that this step undoes; null if none, or if it is sent again.
   */
  public Change.@Nullable AfterUndo undone(Run run, Step step, EffectState end) {
    return step.isUndo() && !end.isOpen() ? afterUndo(run, step, end) : null;
  }

  /** Returns the change that a settled undo makes to the effect that it undoes. */
  public Change.AfterUndo afterUndo(Run run, Step undo, EffectState end) {
    var undoables = Replay.of(parts.store().journal(run.number())).undoables();
    var one = Objects.requireNonNull(undoables.undoneBy(undo), "the effect that is undone");
    return undoables.undoing(one).after(end);
  }

  /**
   * Makes the decision durable though the run is in another node's memory. False if the doubt has
   * changed, or the run has ended; nothing was written then.
   *
   * @param kept what holds a large result
   * @param cancel that goes with the decision; null for none
   */
  public boolean decide(
      Run run,
      EffectRecord row,
      EffectEntry.Settled settled,
      Change.Effect after,
      List<Change> kept,
      Run.@Nullable Cancel cancel) {
    var told =
        Wait.decidedReview(
            parts.ids().next(),
            run.tenant(),
            run.number(),
            row.step(),
            Json.write(settled),
            settled.actor(),
            parts.clock().now());
    List<Change> changes = new ArrayList<>(kept);
    changes.add(new Change.Decide(after, undone(run, row.step(), after.state()), told, cancel));
    return submit(new Head.NotEnded(run.number()), changes, null)
            instanceof GroupAnswer.Landed(var answers, var _)
        && answers.contains(new Answer.Decided(true));
  }

  /**
   * Writes decisions made meanwhile into the journal of a run that is ours and not in memory; true
   * if there were any, and the run must be read again.
   */
  boolean hear(Run run) {
    List<Wait> told = unheard(run);
    // From its beginning: the journal that was kept holds the review, the new rows do not.
    StoredRun stored = told.isEmpty() ? null : parts.store().load(run.number());
    if (stored == null) {
      return false;
    }
    List<JournalEntry> entries = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    for (Wait wait : told) {
      changes.add(new Change.HearDecision(wait));
      var settled = (EffectEntry.Settled) Json.read(said(wait), JournalEntry.class);
      EffectProgress open = inReview(stored, settled);
      if (open == null) {
        entries.add(EffectEntry.SettledTooLate.of(settled));
      } else {
        entries.add(settled);
        changes.addAll(again(stored, open, settled));
      }
    }
    Head head = new Head.Owned(run.number(), parts.owner(), stored.seq());
    if (submit(head, changes, JournalRow.write(entries)) instanceof GroupAnswer.Refused refused) {
      log.error("run {} cannot receive a person's decision: {}", run.id(), refused.problem());
      return false;
    }
    return true;
  }

  /**
   * Whether a person may have decided something while the run had no owner. Only a status of a run
   * that has waited for a person says so, also after one of two effects has been settled. A run
   * with loops may have left memory before it read the items that are in review, and then waits.
   */
  static boolean mayHaveDecisions(StoredRun unowned, boolean hasLoops) {
    return switch (unowned.run().status()) {
      case WAITING -> hasLoops;
      case REVIEW, CANCELING, COMPENSATING -> true;
      case QUEUED -> unowned.seq() > 1; // a run that has not begun has nothing in review
      default -> false;
    };
  }

  /** Whether a person must settle an effect of the run, according to its journal. */
  boolean isAnyInReview(Run run) {
    return StepJournal.replays(parts.store().journal(run.number())).stream()
        .flatMap(replay -> replay.steps().values().stream())
        .anyMatch(state -> state instanceof StepState.Open(var progress) && progress.inReview());
  }

  private List<Wait> unheard(Run run) {
    return parts.store().waits().ofRun(run.number()).stream()
        .filter(Wait::isUnheardReview)
        .toList();
  }

  private static String said(Wait wait) {
    return Objects.requireNonNull(wait.decision(), "what was decided");
  }

  /** The effect that the journal holds in review; null if the journal already has a decision. */
  private @Nullable EffectProgress inReview(StoredRun stored, EffectEntry.Settled settled) {
    StepJournal journal = StepJournal.of(parts.store(), stored, settled.step());
    return journal.replay().stateOf(settled.step()) instanceof StepState.Open(var progress)
            && progress.inReview()
            && progress.revision() == settled.revision()
        ? progress
        : null;
  }

  /**
   * The ledger has held the decision since it was made, and another run or step may have the effect
   * by now. An effect is settled again only if the same step failed and put it into review once
   * more.
   */
  private List<Change> again(StoredRun stored, EffectProgress open, EffectEntry.Settled settled) {
    EffectRecord row = parts.store().effect(open.effect());
    if (row == null
        || row.run() != stored.run().number()
        || !row.step().equals(settled.step())
        || row.revision() != settled.revision()
        || row.state() != EffectState.REVIEW) {
      return List.of();
    }
    Change.Effect after = effect(stored, row, settled);
    Change.AfterUndo undone = undone(stored.run(), row.step(), after.state());
    return undone == null ? List.of(after) : List.of(after, undone);
  }

  private GroupAnswer submit(Head head, List<Change> changes, @Nullable String entries) {
    var group =
        new Group(parts.ids().next(), parts.clock().now(), head, List.copyOf(changes), entries);
    return parts.committer().commit(group);
  }
}
