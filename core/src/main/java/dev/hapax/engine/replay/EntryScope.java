package dev.hapax.engine.replay;

import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;

/** Which parts of a journal an entry is about: the part that holds it, or the journals of items. */
enum EntryScope {
  /** Only the part that holds it. */
  OWN_PART,

  /** The part that holds it, and every item's journal. */
  EVERY_ITEM,

  /** The journal of its item: it is written beside that journal, because a person made it. */
  ITEM,

  /**
   * As above, if that journal holds the step: two loops over the same items share their journals.
   */
  ITEM_WITH_STEP;

  boolean isBesideItem() {
    return this == ITEM || this == ITEM_WITH_STEP;
  }

  static EntryScope of(JournalEntry entry) {
    return switch (entry) {
      case EffectEntry effect -> of(effect);
      case StepEntry step -> of(step);
      case RunEntry run -> of(run);
      case LoopEntry _, WaitEntry _, CallEntry _, LockEntry _ -> OWN_PART;
    };
  }

  private static EntryScope of(EffectEntry entry) {
    return switch (entry) {
      case EffectEntry.Settled _, EffectEntry.InReview _ -> ITEM_WITH_STEP;
      case EffectEntry.Claimed _,
          EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ ->
          OWN_PART;
    };
  }

  private static EntryScope of(StepEntry entry) {
    return switch (entry) {
      case StepEntry.StepSettled _ -> ITEM;
      case StepEntry.StepDone _,
          StepEntry.Branched _,
          StepEntry.StepFailed _,
          StepEntry.ReadFailed _,
          StepEntry.Published _,
          StepEntry.KvAsked _ ->
          OWN_PART;
    };
  }

  private static EntryScope of(RunEntry entry) {
    return switch (entry) {
      case RunEntry.Retried _,
          RunEntry.Replayed _,
          RunEntry.CompensationStarted _,
          RunEntry.TriedNow _ ->
          EVERY_ITEM;
      case RunEntry.Alerted _,
          RunEntry.Notified _,
          RunEntry.CancelRequested _,
          RunEntry.TimedOut _,
          RunEntry.Ended _,
          RunEntry.KeyForgotten _,
          RunEntry.ValuesErased _,
          RunEntry.Queued _,
          RunEntry.SlotGranted _,
          RunEntry.CodeMissing _,
          RunEntry.Quarantined _,
          RunEntry.Resumed _,
          RunEntry.Occurred _,
          RunEntry.TurnAwaited _ ->
          OWN_PART;
    };
  }
}
