package dev.hapax.history;

import dev.hapax.flow.Step;
import dev.hapax.run.Gate;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a journal what a run may still wait for. The journal says what the run saw last; the
 * caller compares it with the current rows of the store. Callbacks and approvals have their own
 * rows and are not found here.
 */
public final class JournalWaits {
  private final Map<Step, Open> open = new LinkedHashMap<>();
  private final Map<Step, Long> effects = new HashMap<>();
  private @Nullable Slot slot;
  private @Nullable Turn start;

  /** One thing that a step may wait for. */
  public sealed interface Open {}

  public record Lock(String key) implements Open {}

  /** Another run has claimed the same effect. */
  public record Held(long effect) implements Open {}

  /**
   * A person must decide about an effect.
   *
   * @param isRework whether it happened and a rework has changed its content; otherwise it is in
   *     doubt
   */
  public record Review(long effect, boolean isRework) implements Open {}

  public record Child(long child) implements Open {}

  public record Timer(Instant until) implements Open {}

  /**
   * The next attempt.
   *
   * @param isDoubt whether the last attempt may have happened
   */
  public record Retry(int attempt, boolean isDoubt, String evidence, @Nullable Instant until)
      implements Open {}

  public record Turn(String because, Instant until) implements Open {}

  /**
   * The run waits for a slot.
   *
   * @param gate null if the journal does not say which
   */
  public record Slot(@Nullable Gate gate) {}

  private JournalWaits() {}

  public static JournalWaits in(Iterable<JournalRow> journal) {
    var found = new JournalWaits();
    for (JournalRow row : journal) {
      ListIterator<Answer> answers = row.readAnswers().listIterator();
      for (JournalEntry entry : row.readEntries()) {
        found.start = null;
        found.read(entry, answers);
      }
    }
    return found;
  }

  /** What the steps may wait for, in the order in which they came to it. */
  public Map<Step, Open> ofSteps() {
    return open;
  }

  /** The slot for which the run waits; null if it has one, or needs none. */
  public @Nullable Slot slot() {
    return slot;
  }

  /** What the run waits for before its first step; null if nothing. */
  public @Nullable Turn start() {
    return start;
  }

  private void read(JournalEntry entry, ListIterator<Answer> answers) {
    switch (entry) {
      case StepEntry step -> read(step, answers);
      case EffectEntry effect -> read(effect, answers);
      case LoopEntry loop -> open.remove(loop.step());
      case WaitEntry wait -> read(wait);
      case CallEntry call -> read(call, answers);
      case LockEntry lock -> read(lock, answers);
      case RunEntry whole -> read(whole, answers);
    }
  }

  private void read(StepEntry entry, ListIterator<Answer> answers) {
    switch (entry) {
      case StepEntry.ReadFailed e ->
          put(e.step(), new Retry(e.attempt(), false, e.evidence(), e.retryAt()));
      case StepEntry.Published e -> {
        skip(answers);
        open.remove(e.step());
      }
      case StepEntry.KvAsked e -> {
        skip(answers);
        open.remove(e.step());
      }
      case StepEntry.StepDone _,
          StepEntry.Branched _,
          StepEntry.StepFailed _,
          StepEntry.StepSettled _ ->
          open.remove(entry.step());
    }
  }

  private void read(EffectEntry entry, ListIterator<Answer> answers) {
    Step step = entry.step();
    switch (entry) {
      case EffectEntry.Claimed e -> claimed(e, answers.hasNext() ? answers.next() : null);
      case EffectEntry.Attempted _ -> {
        skip(answers);
        open.remove(step);
      }
      case EffectEntry.NotApplied e ->
          put(step, new Retry(e.attempt(), false, e.evidence(), e.retryAt()));
      case EffectEntry.InDoubt e ->
          put(step, new Retry(e.attempt(), true, e.evidence(), e.retryAt()));
      case EffectEntry.InReview _ -> {
        Long effect = effects.get(step);
        if (effect != null) {
          put(step, new Review(effect, false));
        }
      }
      case EffectEntry.SettledTooLate _, EffectEntry.AnsweredLate _, EffectEntry.LeftBehind _ -> {}
      case EffectEntry.SentAgain _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.Settled _,
          EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _ ->
          open.remove(step);
    }
  }

  private void claimed(EffectEntry.Claimed claim, @Nullable Answer answer) {
    Step step = claim.step();
    open.remove(step);
    switch (answer) {
      case null -> effects.put(step, claim.effect());
      case ClaimAnswer.Granted granted -> effects.put(step, granted.effect());
      case ClaimAnswer.Held held -> put(step, new Held(held.effect()));
      case ClaimAnswer.Abandoned(long effect, int _, int _) -> inReview(step, effect, false);
      case ClaimAnswer.ReviewFirst(long effect, int _, var _) -> inReview(step, effect, false);
      case ClaimAnswer.ReviewRework review -> inReview(step, review.effect(), true);
      default -> {}
    }
  }

  private void inReview(Step step, long effect, boolean isRework) {
    effects.put(step, effect);
    put(step, new Review(effect, isRework));
  }

  private void read(WaitEntry entry) {
    switch (entry) {
      case WaitEntry.WaitStarted(var step, var until) -> put(step, new Timer(until));
      case WaitEntry.WaitEnded _,
          WaitEntry.CallbackOpened _,
          WaitEntry.CallbackAwaited _,
          WaitEntry.ApprovalLinked _,
          WaitEntry.ApprovalAsked _,
          WaitEntry.WaitSettled _ ->
          open.remove(entry.step());
    }
  }

  private void read(CallEntry entry, ListIterator<Answer> answers) {
    open.remove(entry.step());
    switch (entry) {
      case CallEntry.CallFailed _ -> {}
      case CallEntry.Called _,
          CallEntry.CallAwaited _,
          CallEntry.CallRetried _,
          CallEntry.CallStopped _,
          CallEntry.SpawnedRun _ -> {
        if (answers.next() instanceof CallAnswer.UnderWay underWay) {
          put(entry.step(), new Child(underWay.child()));
        }
      }
    }
  }

  private void read(LockEntry entry, ListIterator<Answer> answers) {
    open.remove(entry.step());
    switch (entry) {
      case LockEntry.LockAsked(var step, var key) -> {
        if (answers.next() instanceof Answer.LockTaken) {
          put(step, new Lock(key));
        }
      }
      case LockEntry.LockReleased _ -> {}
    }
  }

  private void read(RunEntry entry, ListIterator<Answer> answers) {
    switch (entry) {
      case RunEntry.Alerted _, RunEntry.Notified _ -> skip(answers);
      case RunEntry.Retried _, RunEntry.Replayed _ -> {
        open.clear();
        slot = answers.hasNext() && answers.next() instanceof Answer.Queued ? new Slot(null) : null;
      }
      case RunEntry.Queued e -> {
        skip(answers);
        slot = new Slot(e.gate());
      }
      case RunEntry.SlotGranted _ -> slot = null;
      case RunEntry.TurnAwaited(var step, var because, var until) -> {
        var turn = new Turn(because, until);
        if (step == null) {
          start = turn;
        } else {
          put(step, turn);
        }
      }
      case RunEntry.Ended _ -> {
        if (!JournalRow.refusesEnd(answers)) {
          open.clear();
          slot = null;
        }
      }
      case RunEntry.TriedNow _ -> open.replaceAll((_, wait) -> withoutPause(wait));
      case RunEntry.CancelRequested _,
          RunEntry.TimedOut _,
          RunEntry.CompensationStarted _,
          RunEntry.KeyForgotten _,
          RunEntry.ValuesErased _,
          RunEntry.CodeMissing _,
          RunEntry.Occurred _,
          RunEntry.Quarantined _,
          RunEntry.Resumed _ -> {}
    }
  }

  private static Open withoutPause(Open wait) {
    return wait instanceof Retry(int attempt, boolean isDoubt, String evidence, _)
        ? new Retry(attempt, isDoubt, evidence, null)
        : wait;
  }

  /** The newest wait is the last one. */
  private void put(Step step, Open wait) {
    open.remove(step);
    open.put(step, wait);
  }

  private static void skip(ListIterator<Answer> answers) {
    if (answers.hasNext()) {
      answers.next();
    }
  }

  /** The children that a run may wait for. */
  public List<Long> children() {
    return open.values().stream()
        .filter(Child.class::isInstance)
        .map(wait -> ((Child) wait).child())
        .toList();
  }
}
