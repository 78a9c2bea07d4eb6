package dev.hapax.engine.replay;

import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
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
public final class Replay {
  /** The states of the body's own steps. */
  private final Map<Step, StepState> steps = new LinkedHashMap<>();

  /**
   * The ends of loop items. They are kept apart from the steps, because an item may contain a step
   * with the name of its loop, and in a flow file always does: one of the two records would hide
   * the other.
   */
  private final Map<Step, StepState> items = new LinkedHashMap<>();

  private final List<Told> told = new ArrayList<>();
  private final WaitBook waits = new WaitBook();
  private final EffectOutcomes outcomes = new EffectOutcomes();
  // Added by a pass; the journal repeats it when the run is next taken up.
  private final List<Told> toldBeside = new ArrayList<>();
  private WaitBook waitsOfPass = waits;
  private EffectOutcomes outcomesOfPass = outcomes;
  private final Undoables undoables = new Undoables();
  private final Unvisited unvisited = new Unvisited();
  private final EndedItems endedItems = new EndedItems();
  private final ReplayBook replays = new ReplayBook();
  private final StepReplay bodySteps =
      new StepReplay(steps, items, waits, undoables, unvisited, replays);
  private final CallReplay calls = new CallReplay(steps, unvisited);
  private final WaitReplay waitSteps = new WaitReplay(steps, waits);
  private final EffectReplay effects =
      new EffectReplay(steps, waits, outcomes, undoables, unvisited, replays);
  private final ReplayedSteps replayedSteps = new ReplayedSteps(steps, items, calls, endedItems);
  private ReplayBook replaysOfPass = replays;
  private Unvisited unvisitedOfPass = unvisited;
  private @Nullable Failure compensation;
  private boolean cancelNoted;
  private boolean timeoutNoted;
  private boolean corrected;
  private long lastSeq = Long.MAX_VALUE;
  private boolean queued;
  private boolean started;
  private @Nullable String heldBackBecause;
  private int failures;

  /** When the event happened that started the run; null unless that time is lost. */
  private @Nullable Instant occurredAt;

  /** An entry for the run as a whole, or about an item whose steps are in its own journal. */
  private record Told(long seq, Instant at, JournalEntry entry) {}

  public static Replay of(List<JournalRow> journal) {
    var replay = new Replay();
    replay.readOn(journal);
    return replay;
  }

  /** The journal up to an earlier end, for a run that compensates now; nothing later is read. */
  public static Replay asOf(List<JournalRow> rows, Failure cause) {
    var replay = new Replay();
    for (JournalRow row : rows) {
      if (row.item() == null) {
        replay.read(row);
      }
    }
    replay.compensation = cause;
    replay.lastSeq = rows.isEmpty() ? 0 : rows.getLast().seq();
    return replay;
  }

  /** When the event happened that started the run; null unless that time is lost. */
  public @Nullable Instant occurredAt() {
    return occurredAt;
  }

  /** Reads the rows that come next. */
  public void readOn(List<JournalRow> rows) {
    for (JournalRow row : rows) {
      read(row);
    }
  }

  /**
   * Begins the next pass. Its notes are kept apart from the journal's state, so that the journal
   * can be read on after it.
   */
  public void beginPass() {
    toldBeside.clear();
    waitsOfPass = waits.copy();
    outcomesOfPass = outcomes.copy();
    unvisitedOfPass = unvisited.copy();
    replaysOfPass = replays.copy();
  }

  /** Returns the journal of one item; a person's decisions about the item are outside it. */
  public Replay ofItem(String item, List<JournalRow> rows) {
    var replay = new Replay();
    var told = new ArrayDeque<>(this.told);
    told.addAll(toldBeside);
    for (JournalRow row : rows) {
      if (row.seq() > lastSeq) {
        break;
      }
      while (!told.isEmpty() && told.element().seq() < row.seq()) {
        replay.hear(told.remove(), item);
      }
      replay.read(row);
    }
    told.forEach(one -> replay.hear(one, item));
    return replay;
  }

  /** Adds a person's decision about an item, made since the journal was read. */
  public void hearBeside(long seq, Instant at, JournalEntry entry) {
    toldBeside.add(new Told(seq, at, entry));
  }

  /**
   * Two loops over the same items share their journals; an entry about the other loop is ignored.
   */
  private void hear(Told word, String item) {
    Step step = word.entry().step();
    boolean needsStep = EntryScope.of(word.entry()) == EntryScope.ITEM_WITH_STEP;
    if (step == null
        || (item.equals(step.outermostItem()) && (!needsStep || steps.containsKey(step)))) {
      read(word.entry(), Collections.emptyListIterator(), word.at());
      noteRow(word.entry(), word.seq());
    }
  }

  public @Nullable StepState stateOf(Step step) {
    return steps.get(step);
  }

  /** How an item of a loop ended; null if it has not. */
  public @Nullable StepState endOf(Step item) {
    return items.get(item);
  }

  /** The failure of a step, or else of the item of this name; null if neither failed. */
  public StepState.@Nullable Failed failureOf(Step step) {
    return steps.get(step) instanceof StepState.Failed failed
        ? failed
        : items.get(step) instanceof StepState.Failed ended ? ended : null;
  }

  /** Steps and items that failed. */
  public Set<Step> failed() {
    return Stream.concat(steps.keySet().stream(), items.keySet().stream())
        .filter(step -> failureOf(step) != null)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A sleep that has ended; null if the journal does not hold it. */
  public StepState.@Nullable Waiting sleep(Step step) {
    return waitSteps.sleep(step);
  }

  public Map<Step, StepState> steps() {
    return steps;
  }

  /** The waits for callbacks and approvals; the pass adds what it writes. */
  public WaitBook waits() {
    return waitsOfPass;
  }

  /** How effects were done; the pass adds what it writes. */
  public EffectOutcomes outcomes() {
    return outcomesOfPass;
  }

  /** Notes what the pass writes. */
  public void note(JournalEntry entry) {
    switch (entry) {
      case EffectEntry effect -> {
        outcomesOfPass.note(effect);
        replaysOfPass.note(effect);
      }
      case WaitEntry wait -> waitsOfPass.note(wait);
      case LoopEntry loop -> waitsOfPass.note(loop);
      case RunEntry run -> waitsOfPass.note(run);
      case StepEntry _, CallEntry _, LockEntry _ -> {}
    }
  }

  /** Notes the ledger's answer to a claim of the pass. */
  public void note(EffectEntry.Claimed claim, Answer answer) {
    waitsOfPass.note(claim, answer);
    outcomesOfPass.note(claim.step(), answer);
    replaysOfPass.note(claim, answer);
  }

  /** What replays by people say; the pass adds what it writes. */
  public ReplayBook replays() {
    return replaysOfPass;
  }

  /** The row that first recorded this step; null if none did. */
  public @Nullable Long rowOf(Step step) {
    return replayedSteps.rowOf(step);
  }

  /** Why the run undoes its effects; null while it goes forward. */
  public @Nullable Failure compensation() {
    return compensation;
  }

  public Undoables undoables() {
    return undoables;
  }

  /** What was sent and the body has not reached; the pass notes which steps the body reaches. */
  public Unvisited unvisited() {
    return unvisitedOfPass;
  }

  boolean cancelNoted() {
    return cancelNoted;
  }

  /** How often the run has ended as failed. */
  public int failures() {
    return failures;
  }

  boolean timeoutNoted() {
    return timeoutNoted;
  }

  public boolean hasLoops() {
    return steps.values().stream().anyMatch(state -> state.kind() == StepKind.LOOP);
  }

  /** Whether the run was retried with another input than it began with. */
  public boolean isCorrected() {
    return corrected;
  }

  /** Whether the last entry says that the run waits for a slot. */
  public boolean isQueued() {
    return queued;
  }

  /** Whether the body has done or asked anything, or has ended once. */
  public boolean hasStarted() {
    return started;
  }

  /** What a run that has not started last waited for; null if for nothing. */
  public @Nullable String heldBackBecause() {
    return heldBackBecause;
  }

  private void read(JournalRow row) {
    ListIterator<Answer> answers = row.readAnswers().listIterator();
    for (JournalEntry entry : row.readEntries()) {
      started |= entry.step() != null;
      EntryScope scope = EntryScope.of(entry);
      boolean isAboutItem = isAboutItem(entry.step(), scope);
      if (isAboutItem || scope == EntryScope.EVERY_ITEM) {
        told.add(new Told(row.seq(), row.at(), entry));
      }
      if (!isAboutItem) {
        read(entry, answers, row.at());
        noteItem(entry);
        noteRow(entry, row.seq());
      }
    }
  }

  private void noteRow(JournalEntry entry, long seq) {
    Step step = entry.step();
    if (step != null) {
      replayedSteps.note(step, seq);
    }
  }

  private void noteItem(JournalEntry entry) {
    Step step = entry.step();
    if (entry instanceof LoopEntry.ItemEnded end) {
      endedItems.end(end.step(), end.error() != null);
    } else if (step != null) {
      endedItems.note(step, steps.get(step));
    }
  }

  private boolean isAboutItem(@Nullable Step step, EntryScope scope) {
    return scope.isBesideItem()
        && step != null
        && step.item() != null
        && !steps.containsKey(step)
        && !items.containsKey(step);
  }

  private void read(JournalEntry entry, ListIterator<Answer> answers, Instant at) {
    switch (entry) {
      case StepEntry step -> bodySteps.read(step, answers, at);
      case EffectEntry effect -> effects.read(effect, answers, at);
      case LoopEntry loop -> bodySteps.read(loop);
      case WaitEntry wait -> waitSteps.read(wait, at);
      case CallEntry call -> calls.read(call, answers);
      case LockEntry lock -> bodySteps.read(lock, answers);
      case RunEntry run -> read(run, answers);
    }
  }

  private void read(RunEntry entry, ListIterator<Answer> answers) {
    waits.note(entry);
    switch (entry) {
      case RunEntry.Retried retried -> {
        readRetried(retried);
        queued = answers.hasNext();
      }
      case RunEntry.Replayed replayed -> {
        readReplayed(replayed);
        queued = answers.hasNext();
      }
      case RunEntry.CancelRequested _ -> cancelNoted = true;
      case RunEntry.TimedOut _ -> timeoutNoted = true;
      case RunEntry.CompensationStarted(var cause) -> {
        compensation = cause;
        forgetFailedUndos(); // of a rework: they are tried again
      }
      case RunEntry.Queued _ -> queued = true;
      case RunEntry.SlotGranted _ -> queued = false;
      case RunEntry.Alerted _, RunEntry.Notified _ -> {
        if (answers.hasNext()) {
          answers.next(); // the history shows whether it went out before
        }
      }
      case RunEntry.Ended ended -> {
        boolean isRefused = JournalRow.refusesEnd(answers);
        started = true;
        failures += !isRefused && ended.status() == RunStatus.FAILED ? 1 : 0;
      }
      case RunEntry.TurnAwaited(var step, var because, _) -> {
        if (step == null) {
          heldBackBecause = because;
        }
      }
      case RunEntry.Occurred event -> occurredAt = event.occurredAt();
      case RunEntry.TriedNow _ -> steps.replaceAll((_, state) -> state.withoutPause());
      case RunEntry.KeyForgotten _,
          RunEntry.ValuesErased _,
          RunEntry.CodeMissing _,
          RunEntry.Quarantined _,
          RunEntry.Resumed _ -> {}
    }
  }

  /**
   * Repeats what failed. In a run that compensates these are only failed undos, because it never
   * goes forward again. A corrected input also repeats everything that was computed from the old
   * one.
   */
  private void readRetried(RunEntry.Retried retried) {
    cancelNoted = false;
    timeoutNoted = false;
    if (compensation != null) {
      forgetFailedUndos();
      return;
    }
    replays.retried();
    boolean withInput = retried.input() != null;
    unvisited.retried(withInput);
    corrected |= withInput;
    calls.retried(withInput);
    waitSteps.retried();
    steps.replaceAll(
        (_, state) -> isToBeRepeated(state, withInput) ? new StepState.Looping() : state);
    items
        .values()
        .removeIf(end -> end instanceof StepState.Failed || (withInput && end.dependsOnInput()));
    endedItems.retried(withInput);
    steps
        .entrySet()
        .removeIf(
            one ->
                !endedItems.isKept(one.getKey())
                    && isForgotten(one.getKey(), one.getValue(), withInput));
    replayedSteps.forgot();
  }

  /** Does again what a person has planned; a run that has begun to compensate has no such plan. */
  private void readReplayed(RunEntry.Replayed replayed) {
    cancelNoted = false;
    timeoutNoted = false;
    corrected |= replayed.input() != null;
    unvisited.retried(true);
    replays.replayed(replayed);
    replayedSteps.replayed(replayed.terms());
    // The end of the run has released the locks that it held; they may be others' by now.
    steps.values().removeIf(StepState.Locked.class::isInstance);
    waitSteps.retried();
  }

  /** What was undone by a rework stays undone, with any input. */
  private static boolean isForgotten(Step step, StepState state, boolean withInput) {
    return state instanceof StepState.Failed
        || WaitOutcome.isOpenApproval(state) // it was closed when the run failed
        || state.kind() == StepKind.LOCK // repeated work runs under the lock again
        || (withInput && !step.isUndo() && state.kind() != StepKind.LOOP && state.dependsOnInput());
  }

  private void forgetFailedUndos() {
    steps
        .entrySet()
        .removeIf(one -> one.getKey().isUndo() && one.getValue() instanceof StepState.Failed);
  }

  /** The items themselves record which of them have ended. */
  private static boolean isToBeRepeated(StepState state, boolean withInput) {
    return switch (state) {
      case StepState.Looped(var items, _) -> withInput || !items.allSucceeded();
      case StepState.Looping _ -> withInput; // also rounds that have ended
      default -> false;
    };
  }
}
