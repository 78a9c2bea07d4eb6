package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.hapax.flow.EffectState;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's answer to a claim. It is stored beside the journal entry of the claim, so that a
 * replay gets it again.
 */
public sealed interface ClaimAnswer extends Answer {
  /** The beginning of the name of an import, in place of the id of a run. */
  String IMPORTED = "import by ";

  /** The effect that the ledger holds under the key; null if the answer does not say. */
  default @Nullable Long met() {
    return switch (this) {
      case Granted granted -> granted.effect();
      case Reused reused -> reused.effect();
      case Held held -> held.effect();
      case Conflict conflict -> conflict.effect();
      case Expired expired -> expired.effect();
      case ResultErased erased -> erased.effect();
      case Abandoned abandoned -> abandoned.effect();
      case ReviewFirst review -> review.effect();
      case Overtaken overtaken -> overtaken.effect();
      case ReviewRework review -> review.effect();
      case UndoFirst undo -> undo.effect();
      case NotPlanned _, Refused _ -> null;
    };
  }

  /** The claimant owns the effect and may send attempt 1 of this revision. */
  record Granted(long effect, int revision) implements ClaimAnswer {}

  /** It was done before; this is its result. */
  record Reused(
      long effect,
      int revision,
      String fromRun,
      @Nullable String output,
      @Nullable String externalId,
      boolean contentDiffers,
      boolean superseded,
      boolean stale)
      implements ClaimAnswer {
    /** Returns whether no run did it: it was imported, and {@code fromRun} names by whom. */
    @JsonIgnore
    public boolean isImported() {
      return fromRun.startsWith(IMPORTED);
    }
  }

  /**
   * Another run holds it: the claimant is registered as a waiter and is woken when it is settled.
   */
  record Held(long effect, String byRun, EffectState state) implements ClaimAnswer {}

  /** The key was used for something else. */
  record Conflict(long effect, String byRun, String what) implements ClaimAnswer {}

  /**
   * It was done so long ago that the ledger has only its tombstone: nothing is sent, and there is
   * no result.
   */
  record Expired(long effect, int revision, EffectState state, @Nullable String externalId)
      implements ClaimAnswer {}

  /**
   * It was done before, and its result was erased for a person: nothing is sent, and there is no
   * result.
   */
  record ResultErased(long effect, int revision, String fromRun, @Nullable String externalId)
      implements ClaimAnswer {}

  /**
   * It was given up in doubt: it is in review again, now owned by the claimant, and nothing is
   * sent.
   */
  record Abandoned(long effect, int revision, int attempts) implements ClaimAnswer {}

  /**
   * An undo that only a person can allow: it begins in review, and nothing is sent.
   *
   * @param evidence why, for example which run has reused the result that it would undo
   */
  record ReviewFirst(long effect, int revision, String evidence) implements ClaimAnswer {}

  /**
   * There is nothing left to undo: the effect is no longer as the run left it.
   *
   * @param effect that was to be undone
   */
  record Overtaken(long effect, String what) implements ClaimAnswer {}

  /**
   * The run's own effect, now with other content: it is in review, and nothing is sent.
   *
   * @param attempts of the revision that was done
   * @param output what that revision returned, which the run gets if a person keeps it
   * @param reused whether another run has this result too
   */
  record ReviewRework(
      long effect,
      int revision,
      int attempts,
      @Nullable String output,
      @Nullable String externalId,
      boolean reused)
      implements ClaimAnswer {

    /** Why a person is asked. */
    public String evidence() {
      return "revision %d was sent with other content, and the effect says onRework: review%s"
          .formatted(revision, reused ? "; another run has reused its result" : "");
    }
  }

  /**
   * The run's own effect, now with other content: this revision is to be undone, and then it is
   * claimed again.
   *
   * @param externalId of that revision, which its undo may need
   */
  record UndoFirst(long effect, int revision, @Nullable String externalId) implements ClaimAnswer {}

  /**
   * The run is replayed, and its plan does not send this: nothing is sent.
   *
   * @param revision that would have been sent
   * @param planned the fingerprint of the request that the plan shows; null if the plan does not
   *     send this revision at all
   * @param wanted the fingerprint of the request that would have been sent instead
   */
  record NotPlanned(int revision, @Nullable String planned, @Nullable String wanted)
      implements ClaimAnswer {
    public NotPlanned(int revision) {
      this(revision, null, null);
    }

    /** What the run would do that the plan does not have. */
    public String of(String effect) {
      return planned == null
          ? "effect %s as revision %d, which the plan of the replay does not have"
              .formatted(effect, revision)
          : "effect %s as revision %d with another request than the plan of the replay shows"
              .formatted(effect, revision);
    }
  }

  /** The run is to be canceled: no new intent. */
  record Refused() implements ClaimAnswer {}
}
