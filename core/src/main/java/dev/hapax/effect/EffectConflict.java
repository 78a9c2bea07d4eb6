package dev.hapax.effect;

import dev.hapax.flow.Failure;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;

/**
 * Builds the failure for a key that gives no result: it was used for something else, or has
 * expired. The failure is the same when a journal is read again.
 */
public final class EffectConflict {
  private EffectConflict() {}

  public static Failure failure(EffectEntry.Claimed claim, ClaimAnswer.Conflict conflict) {
    return Failure.of(
            "effect-key-reused",
            "effect '%s' '%s' was already done by run %s for another request: %s. Use another key, or repeat the first request."
                .formatted(claim.name(), claim.key(), conflict.byRun(), conflict.what()),
            false)
        .at(claim.step());
  }

  /** The failure for a key whose result was erased for a person. */
  public static Failure failure(EffectEntry.Claimed claim, ClaimAnswer.ResultErased erased) {
    String externalId = erased.externalId();
    return Failure.of(
            "effect-erased",
            "effect '%s' '%s' was done before by run %s%s, and its result was erased for a person: nothing was sent. Settle the step by hand, or use another key."
                .formatted(
                    claim.name(),
                    claim.key(),
                    erased.fromRun(),
                    externalId == null ? "" : " (external id " + externalId + ")"),
            false)
        .at(claim.step());
  }

  /** The failure for a key whose work was done so long ago that only its tombstone is left. */
  public static Failure failure(EffectEntry.Claimed claim, ClaimAnswer.Expired expired) {
    String externalId = expired.externalId();
    return Failure.of(
            "effect-expired",
            "effect '%s' '%s' was done before%s, and its result has expired: nothing was sent. Use another key. Only a run admitted by afterRetention NEW does it again."
                .formatted(
                    claim.name(),
                    claim.key(),
                    externalId == null ? "" : " (external id " + externalId + ")"),
            false)
        .at(claim.step());
  }
}
