package dev.hapax.engine;

import dev.hapax.effect.EffectConflict;
import dev.hapax.effect.EffectProgress;
import dev.hapax.json.Json;
import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folds a journal, read from its beginning, into one state per step. */
final class Replay {
  /** The states of the body's own steps. */
  private final Map<Step, StepState> steps = new LinkedHashMap<>();

  /**
   * The ends of loop items. They are kept apart from the steps, because an item may contain a step
   * with the name of its loop, and in a flow file always does: one of the two records would hide
   * the other.
   */
  private final Map<Step, StepState> items = new LinkedHashMap<>();

  private final Map<Step, StepState.Waiting> sleeps = new HashMap<>();
  private final List<Told> told = new ArrayList<>();
  private final WaitBook waits = new WaitBook();
  private final ExternalIds externalIds = new ExternalIds();
  // Added by a pass; the journal repeats it when the run is next taken up.
  private final List<Told> toldBeside = new ArrayList<>();
  private WaitBook waitsOfPass = waits;
  private ExternalIds externalIdsOfPass = externalIds;
  private final CallReplay calls = new CallReplay(steps);
  private final Undoables undoables = new Undoables();
  private final Unvisited unvisited = new Unvisited();
  private Unvisited unvisitedOfPass = unvisited;
  private @Nullable Failure compensation;
  private boolean cancelNoted;
  private boolean timeoutNoted;
  private boolean corrected;
  private long lastSeq = Long.MAX_VALUE;
  private boolean queued;
  private boolean begun;
  private @Nullable String heldBackBecause;
  private int failures;

  /** When the event happened that started the run; null unless that time is lost. */
  private @Nullable Instant occurredAt;

  /** An entry for the run as a whole, or about an item whose steps are in a lane. */
  private record Told(long seq, Instant at, JournalEntry entry) {}

  static Replay of(List<JournalRow> journal) {
    var replay = new Replay();
    replay.readOn(journal);
    return replay;
  }

  /** The journal up to an earlier end, for a run that compensates now; nothing later is read. */
  static Replay asOf(List<JournalRow> rows, Failure cause) {
    var replay = new Replay();
    for (JournalRow row : rows) {
      if (row.lane() == null) {
        replay.read(row);
      }
    }
    replay.compensation = cause;
    replay.lastSeq = rows.isEmpty() ? 0 : rows.getLast().seq();
    return replay;
  }

  /** When the event happened that started the run; null unless that time is lost. */
  @Nullable Instant occurredAt() {
    return occurredAt;
  }

  /** Reads the rows that come next. */
  void readOn(List<JournalRow> rows) {
    for (JournalRow row : rows) {
      read(row);
    }
  }

  /**
   * Begins the next pass. Its notes are kept apart from the journal's state, so that the journal
   * can be read on after it.
   */
  void beginPass() {
    toldBeside.clear();
    waitsOfPass = waits.copy();
    externalIdsOfPass = externalIds.copy();
    unvisitedOfPass = unvisited.copy();
  }

  /** Returns one lane of the same journal; a person's decisions about it are outside the lane. */
  Replay ofLane(String lane, List<JournalRow> rows) {
    var replay = new Replay();
    var told = new ArrayDeque<>(this.told);
    told.addAll(toldBeside);
    for (JournalRow row : rows) {
      if (row.seq() > lastSeq) {
        break;
      }
      while (!told.isEmpty() && told.element().seq() < row.seq()) {
        replay.hear(told.remove(), lane);
      }
      replay.read(row);
    }
    told.forEach(one -> replay.hear(one, lane));
    return replay;
  }

  /** Adds a person's decision about an item, made since the journal was read. */
  void hearBeside(long seq, Instant at, JournalEntry entry) {
    toldBeside.add(new Told(seq, at, entry));
  }

  /** Two loops over the same items share their lanes; an entry about the other loop is ignored. */
  private void hear(Told word, String lane) {
    Step step = word.entry().step();
    boolean isAboutOpen =
        word.entry() instanceof JournalEntry.Settled
            || word.entry() instanceof JournalEntry.InReview;
    if (step == null
        || (lane.equals(step.outermostItem()) && (!isAboutOpen || steps.containsKey(step)))) {
      read(word.entry(), Collections.emptyListIterator(), word.at());
    }
  }

  @Nullable StepState stateOf(Step step) {
    return steps.get(step);
  }

  /** How an item of a loop ended; null if it has not. */
  @Nullable StepState endOf(Step item) {
    return items.get(item);
  }

  /** The failure of a step, or else of the item of this name; null if neither failed. */
  StepState.@Nullable Failed failureOf(Step step) {
    return steps.get(step) instanceof StepState.Failed failed
        ? failed
        : items.get(step) instanceof StepState.Failed ended ? ended : null;
  }

  /** Steps and items that failed. */
  Set<Step> failed() {
    return Stream.concat(steps.keySet().stream(), items.keySet().stream())
        .filter(step -> failureOf(step) != null)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A sleep that has ended; null if the journal does not hold it. */
  StepState.@Nullable Waiting sleep(Step step) {
    return sleeps.get(step);
  }

  Map<Step, StepState> steps() {
    return steps;
  }

  /** The waits for callbacks and approvals; the pass adds what it writes. */
  WaitBook waits() {
    return waitsOfPass;
  }

  /** The destinations' ids for effects; the pass adds what it writes. */
  ExternalIds externalIds() {
    return externalIdsOfPass;
  }

  /** Why the run undoes its effects; null while it goes forward. */
  @Nullable Failure compensation() {
    return compensation;
  }

  Undoables undoables() {
    return undoables;
  }

  /** What was sent and the body has not reached; the pass notes which steps the body reaches. */
  Unvisited unvisited() {
    return unvisitedOfPass;
  }

  boolean cancelNoted() {
    return cancelNoted;
  }

  /** How often the run has ended as failed. */
  int failures() {
    return failures;
  }

  boolean timeoutNoted() {
    return timeoutNoted;
  }

  boolean hasLoops() {
    return steps.values().stream().anyMatch(state -> state.kind() == StepKind.LOOP);
  }

  /** Whether the run was retried with another input than it began with. */
  boolean isCorrected() {
    return corrected;
  }

  /** Whether the last entry says that the run waits for a slot. */
  boolean isQueued() {
    return queued;
  }

  /** Whether the body has done or asked anything, or has ended once. */
  boolean hasBegun() {
    return begun;
  }

  /** What a run that has not begun last waited for; null if for nothing. */
  @Nullable String heldBackBecause() {
    return heldBackBecause;
  }

  private static boolean concernsEveryLane(JournalEntry entry) {
    return entry instanceof JournalEntry.Retried
        || entry instanceof JournalEntry.CompensationStarted;
  }

  private void read(JournalRow row) {
    ListIterator<Answer> answers = row.readAnswers().listIterator();
    for (JournalEntry entry : row.readEntries()) {
      begun |= entry.step() != null || entry instanceof JournalEntry.Ended;
      if (concernsEveryLane(entry) || isAboutLane(entry)) {
        told.add(new Told(row.seq(), row.at(), entry));
      }
      if (!isAboutLane(entry)) {
        read(entry, answers, row.at());
      }
    }
  }

  private boolean isAboutLane(JournalEntry entry) {
    Step step = entry.step();
    return (entry instanceof JournalEntry.Settled
            || entry instanceof JournalEntry.StepSettled
            || entry instanceof JournalEntry.InReview)
        && step != null
        && step.item() != null
        && !steps.containsKey(step)
        && !items.containsKey(step);
  }

  private void read(JournalEntry entry, ListIterator<Answer> answers, Instant at) {
    waits.note(entry);
    externalIds.note(entry);
    switch (entry) {
      case JournalEntry.StepDone(var step, var output) ->
          steps.put(step, StepState.done(StepKind.STEP, output));
      case JournalEntry.Branched(var step, var branch) ->
          steps.put(step, StepState.done(StepKind.STEP, Json.write(branch)));
      case JournalEntry.StepFailed(var step, var error) ->
          steps.put(step, new StepState.Failed(StepKind.STEP, error));
      case JournalEntry.ReadFailed(var step, int attempt, _, var retryAt) ->
          steps.merge(
              step,
              new StepState.ReadAgain(attempt, at, retryAt),
              (was, is) ->
                  was instanceof StepState.ReadAgain again
                      ? again.failedAgain(attempt, retryAt)
                      : is);
      case JournalEntry.StepSettled(var step, var output, _, _) -> {
        settleByHand(step, output);
        undoables.done(step, output, false);
        unvisited.done(step);
      }
      case JournalEntry.Claimed claim -> readClaim(claim, answers, at);
      case JournalEntry.Attempted(var step, _, int attempt) -> {
        if (!(answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused)) {
          attempted(step, attempt);
        }
      }
      case JournalEntry.SentAgain(var step, _, int attempt) -> attempted(step, attempt);
      case JournalEntry.NotApplied(var step, _, _, _, var retryAt) ->
          open(step, progressOf(step).notApplied(retryAt));
      case JournalEntry.InDoubt doubt -> open(doubt.step(), inDoubt(doubt));
      case JournalEntry.ProvenAbsent(var step, _, _, _) -> open(step, progressOf(step).absent(at));
      case JournalEntry.InReview(var step, _, _, _) -> open(step, progressOf(step).toReview());
      case JournalEntry.Settled settled -> readSettled(settled, at);
      case JournalEntry.SettledTooLate _ -> {} // the effect's own answer counts
      case JournalEntry.EffectDone done -> readDone(done);
      case JournalEntry.EffectFailed(var step, _, _, var error, _) ->
          steps.put(step, new StepState.Failed(StepKind.EFFECT, error));
      case JournalEntry.Skipped(var step, _, _, _) ->
          steps.put(step, StepState.done(StepKind.EFFECT, null));
      case JournalEntry.LoopStarted(var step, _) -> steps.put(step, new StepState.Looping());
      case JournalEntry.ItemEnded(var step, var error) -> {
        items.put(
            step,
            error == null
                ? StepState.done(StepKind.ITEM, null)
                : new StepState.Failed(StepKind.ITEM, error));
        unvisited.itemEnded(step, error != null);
      }
      case JournalEntry.LeftBehind left -> unvisited.toldLeftBehind(left);
      case JournalEntry.LoopEnded ended -> steps.put(ended.step(), StepState.Looped.of(ended));
      case JournalEntry.WaitStarted(var step, var until) ->
          steps.put(step, new StepState.Waiting(at, until));
      case JournalEntry.WaitEnded(var step) -> {
        StepState was = steps.put(step, StepState.done(StepKind.WAIT, null));
        if (was instanceof StepState.Waiting slept) {
          sleeps.put(step, slept);
        }
      }
      case JournalEntry.Published(var step, var message, _, _) -> {
        // The history shows whether the delivery is new.
        if (!(answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused)) {
          steps.put(step, StepState.done(StepKind.MESSAGE, Json.write(message)));
          unvisited.handedOver(step);
        }
      }
      case JournalEntry.CallbackOpened(var step, long number) ->
          steps.put(step, StepState.Asked.opened(number));
      case JournalEntry.CallbackAwaited(var step, long number, var expiresAt) ->
          steps.put(
              step, new StepState.Asked(StepKind.CALLBACK, number, true, expiresAt, false, at));
      case JournalEntry.ApprovalAsked asked ->
          steps.put(
              asked.step(),
              new StepState.Asked(
                  StepKind.APPROVAL,
                  asked.number(),
                  true,
                  asked.expiresAt(),
                  asked.failsIfRejected(),
                  at));
      case JournalEntry.WaitSettled settled -> {
        if (steps.get(settled.step()) instanceof StepState.Asked asked) {
          steps.put(settled.step(), WaitOutcome.of(asked, settled));
        }
      }
      case JournalEntry.Called called -> {
        calls.called(called, answers.next());
        sentIfRecorded(called.step());
      }
      case JournalEntry.CallAwaited(var step, _) ->
          calls.heard(step, answers.next(), afterLooking(step));
      case JournalEntry.CallRetried(var step, _) ->
          calls.heard(step, answers.next(), StepState.Calling.Next.LOOK);
      case JournalEntry.CallStopped(var step, _) ->
          calls.heard(step, answers.next(), StepState.Calling.Next.STOPPED);
      case JournalEntry.CallFailed failed -> calls.failed(failed);
      case JournalEntry.SpawnedRun spawned -> {
        calls.spawned(spawned, answers.next());
        sentIfRecorded(spawned.step());
      }
      case JournalEntry.KvAsked asked ->
          steps.put(asked.step(), new StepState.KvAnswered(asked, (Answer.Kv) answers.next()));
      case JournalEntry.Retried retried -> {
        readRetried(retried);
        queued = answers.hasNext();
      }
      case JournalEntry.CancelRequested _ -> cancelNoted = true;
      case JournalEntry.TimedOut _ -> timeoutNoted = true;
      case JournalEntry.CompensationStarted(var cause) -> compensation = cause;
      case JournalEntry.LockAsked(var step, _) -> readLock(step, answers);
      case JournalEntry.LockReleased(var step, _, long fence) ->
          steps.put(step, StepState.done(StepKind.LOCK, Long.toString(fence)));
      case JournalEntry.Queued _ -> queued = true;
      case JournalEntry.SlotGranted _ -> queued = false;
      case JournalEntry.Alerted _ -> {
        if (answers.hasNext()) {
          answers.next(); // the history shows whether it went out before
        }
      }
      case JournalEntry.Ended ended -> {
        boolean isRefused = JournalRow.refusesEnd(answers);
        failures += !isRefused && ended.status() == RunStatus.FAILED ? 1 : 0;
      }
      case JournalEntry.TurnAwaited(var step, var because, _) -> {
        if (step == null) {
          heldBackBecause = because;
        }
      }
      case JournalEntry.Occurred event -> occurredAt = event.occurredAt();
      case JournalEntry.KeyForgotten _, JournalEntry.CodeMissing _ -> {}
    }
  }

  private EffectProgress inDoubt(JournalEntry.InDoubt doubt) {
    EffectProgress progress = progressOf(doubt.step());
    boolean tellsNothing = Boolean.TRUE.equals(doubt.repeatTellsNothing());
    Instant since = doubt.sentSince();
    EffectProgress sent = since == null ? progress : progress.sentSince(since);
    return (tellsNothing ? sent.repeatTellsNothing() : sent).inDoubt(doubt.retryAt());
  }

  private void attempted(Step step, int attempt) {
    open(step, progressOf(step).attempted(attempt));
    undoables.sent(step);
  }

  private void readDone(JournalEntry.EffectDone done) {
    steps.put(done.step(), StepState.done(StepKind.EFFECT, done.output()));
    boolean isFound =
        done.attempt() == 1 && done.decision().equals(JournalEntry.EffectDone.FOUND_BEFORE_SENDING);
    undoables.done(done.step(), done.output(), isFound);
    unvisited.done(done.step());
  }

  private void readClaim(JournalEntry.Claimed claim, Iterator<Answer> answers, Instant at) {
    Step step = claim.step();
    ClaimAnswer answer =
        answers.hasNext()
            ? (ClaimAnswer) answers.next()
            : new ClaimAnswer.Granted(claim.effect(), 1);
    waits.note(claim, answer);
    externalIds.note(claim.step(), answer);
    switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) -> {
        unvisited.granted(claim, effect);
        open(step, EffectProgress.granted(claim, effect, revision, at));
        undoables.claimed(claim, effect, revision);
      }
      case ClaimAnswer.Reused reused -> {
        unvisited.answered(claim);
        steps.put(step, StepState.done(StepKind.EFFECT, reused.output()));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Conflict conflict -> {
        unvisited.answered(claim);
        steps.put(
            step, new StepState.Failed(StepKind.EFFECT, EffectConflict.failure(claim, conflict)));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Expired expired -> {
        unvisited.answered(claim);
        steps.put(
            step, new StepState.Failed(StepKind.EFFECT, EffectConflict.failure(claim, expired)));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Abandoned(long effect, int revision, int attempts) -> {
        unvisited.granted(claim, effect);
        open(step, EffectProgress.abandoned(claim, effect, revision, attempts, at));
        undoables.takenOver(claim, effect, revision);
      }
      case ClaimAnswer.ReviewFirst(long effect, int revision, _) ->
          open(step, EffectProgress.abandoned(claim, effect, revision, 0, at));
      case ClaimAnswer.Overtaken _ -> steps.put(step, StepState.done(StepKind.EFFECT, null));
      case ClaimAnswer.Held _, ClaimAnswer.Refused _ -> {} // it will be claimed again
    }
  }

  /** A step that was refused will be asked for again. */
  private void sentIfRecorded(Step step) {
    if (steps.containsKey(step)) {
      unvisited.handedOver(step);
    }
  }

  /** A child that was asked to end keeps that state. */
  private StepState.Calling.Next afterLooking(Step step) {
    return steps.get(step) instanceof StepState.Calling calling
        ? calling.next()
        : StepState.Calling.Next.LOOK;
  }

  private void readLock(Step step, Iterator<Answer> answers) {
    switch (answers.next()) {
      case Answer.Locked(long fence) -> steps.put(step, new StepState.Locked(fence));
      case Answer.LockImpossible impossible ->
          steps.put(step, new StepState.Failed(StepKind.LOCK, LockFailure.of(step, impossible)));
      default -> {} // it will be asked for again
    }
  }

  private void readSettled(JournalEntry.Settled settled, Instant at) {
    Step step = settled.step();
    switch (settled.decision()) {
      case HAPPENED -> {
        steps.put(step, StepState.done(StepKind.EFFECT, settled.output()));
        undoables.done(step, settled.output(), false);
        unvisited.done(step);
      }
      case NOT_HAPPENED -> open(step, progressOf(step).notHappened(at));
      case ABANDON -> steps.put(step, abandoned(settled));
    }
  }

  /**
   * Repeats what failed. In a run that compensates these are only failed undos, because it never
   * goes forward again. A corrected input also repeats everything that was computed from the old
   * one.
   */
  private void readRetried(JournalEntry.Retried retried) {
    cancelNoted = false;
    timeoutNoted = false;
    if (compensation != null) {
      steps
          .entrySet()
          .removeIf(one -> one.getKey().isUndo() && one.getValue() instanceof StepState.Failed);
      return;
    }
    boolean withInput = retried.input() != null;
    unvisited.retried(withInput);
    corrected |= withInput;
    calls.retried(withInput);
    steps.replaceAll(this::awaitAgain);
    steps.replaceAll(
        (_, state) -> isToBeRepeated(state, withInput) ? new StepState.Looping() : state);
    items
        .values()
        .removeIf(end -> end instanceof StepState.Failed || (withInput && end.dependsOnInput()));
    steps
        .values()
        .removeIf(
            state ->
                state instanceof StepState.Failed
                    || WaitOutcome.isOpenApproval(state) // it was closed when the run failed
                    || state.kind() == StepKind.LOCK // repeated work runs under the lock again
                    || (withInput && state.kind() != StepKind.LOOP && state.dependsOnInput()));
  }

  /** The items themselves record which of them have ended. */
  private static boolean isToBeRepeated(StepState state, boolean withInput) {
    return state instanceof StepState.Looped(var items) && (withInput || !items.allSucceeded());
  }

  /** The token of an expired callback is still in use, and its wait is open again. */
  private StepState awaitAgain(Step step, StepState state) {
    Long number = waits.callback(step);
    return state instanceof StepState.Failed && state.kind() == StepKind.CALLBACK && number != null
        ? StepState.Asked.opened(number)
        : state;
  }

  /** An item that failed with its step has also ended with it. */
  private void settleByHand(Step step, @Nullable String output) {
    StepState was = steps.get(step);
    boolean isItem = items.get(step) instanceof StepState.Failed;
    if (isItem) {
      items.put(step, StepState.done(StepKind.ITEM, output));
    }
    if (was instanceof StepState.Failed(var kind, _)) {
      steps.put(step, StepState.done(kind, output));
    } else if (!isItem) {
      steps.put(step, StepState.done(StepKind.STEP, output));
    }
  }

  private EffectProgress progressOf(Step step) {
    if (steps.get(step) instanceof StepState.Open(var progress)) {
      return progress;
    }
    throw new IllegalStateException(
        "the journal tells of an attempt of " + step + " that was never claimed");
  }

  private void open(Step step, EffectProgress progress) {
    steps.put(step, new StepState.Open(progress));
  }

  /** An undo that is given up leaves its effect done, and nothing more follows. */
  private static StepState abandoned(JournalEntry.Settled settled) {
    if (settled.step().isUndo()) {
      return StepState.done(StepKind.EFFECT, null);
    }
    Failure failure =
        Failure.of(
                "effect-abandoned",
                "%s gave the effect up: %s".formatted(settled.actor(), settled.reason()),
                false)
            .at(settled.step());
    return new StepState.Failed(StepKind.EFFECT, failure);
  }
}
