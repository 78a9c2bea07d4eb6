package dev.hapax.run.ledger;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.run.journal.ClaimAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the ledger answers a claim to undo an effect. Pure, and called by every store inside
 * its transaction, so that all stores answer alike.
 *
 * @param answer the answer to the run
 * @param target the row of the effect that is to be undone, after the claim
 * @param undo the row of the undo, after the claim
 */
public record UndoRule(ClaimAnswer answer, EffectRecord target, EffectRecord undo) {

  /** Why there is nothing to undo, or null if the target is still as the run left it. */
  public static ClaimAnswer.@Nullable Overtaken overtaken(
      @Nullable EffectRecord target, UndoClaim wish) {
    if (target == null) {
      return new ClaimAnswer.Overtaken(wish.target(), "the ledger no longer holds it");
    }
    boolean isOurs = target.run() == wish.claim().run() && target.revision() == wish.top();
    if (isOurs && target.state() == wish.before()) {
      return null;
    }
    return new ClaimAnswer.Overtaken(
        wish.target(),
        "the ledger holds revision %d of it, %s, and not revision %d, %s"
            .formatted(target.revision(), target.state().word(), wish.top(), wish.before().word()));
  }

  /**
   * Begins the undo of a target that was not overtaken. The target's state locks it: claims wait
   * until the undo is settled.
   *
   * @param row the undo's row: from an earlier revision, or just inserted by this claim
   * @param reusedBy the id of another run that has the target's result, if there is one
   */
  public static UndoRule begin(
      EffectRecord target, EffectRecord row, UndoClaim wish, @Nullable String reusedBy) {
    String doubt = reusedBy == null ? wish.doubt() : "run " + reusedBy + " has reused its result";
    ClaimAnswer answer =
        doubt == null
            ? new ClaimAnswer.Granted(row.number(), wish.revision())
            : new ClaimAnswer.ReviewFirst(row.number(), wish.revision(), doubt);
    return new UndoRule(answer, undoing(target), begun(row, wish, doubt));
  }

  private static EffectRecord begun(EffectRecord row, UndoClaim wish, @Nullable String doubt) {
    EffectClaim claim = wish.claim();
    return new EffectRecord(
        row.number(),
        claim.key(),
        claim.kind(),
        claim.guard(),
        doubt == null ? EffectState.PENDING : EffectState.REVIEW,
        wish.revision(),
        claim.run(),
        claim.step(),
        doubt == null ? 1 : 0,
        claim.fingerprint(),
        claim.request(),
        claim.version(),
        null,
        null,
        claim.at(),
        null,
        doubt);
  }

  private static EffectRecord undoing(EffectRecord target) {
    return new EffectRecord(
        target.number(),
        target.key(),
        target.kind(),
        target.guard(),
        EffectState.UNDOING,
        target.revision(),
        target.run(),
        target.step(),
        target.attempts(),
        target.fingerprint(),
        target.request(),
        target.version(),
        target.result(),
        target.externalId(),
        target.firstSentAt(),
        target.reusedBy(),
        target.evidence());
  }
}
