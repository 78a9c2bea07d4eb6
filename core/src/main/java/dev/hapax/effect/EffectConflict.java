package dev.hapax.effect;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;

/**
 * Builds the failure for a key that gives no result: it was used for something else, or has
 * expired. The failure is the same when a journal is read again.
 */
public final class EffectConflict {
  private EffectConflict() {}

  public static Failure failure(JournalEntry.Claimed claim, ClaimAnswer.Conflict conflict) {
    return Failure.of(
            "effect-key-reused",
            "effect '%s' '%s' was done by run %s for something else: %s. Use another key, or the first request."
                .formatted(claim.name(), claim.key(), conflict.byRun(), conflict.what()),
            false)
        .at(claim.step());
  }

  /** The failure for a key whose work was done so long ago that only its tombstone is left. */
  public static Failure failure(JournalEntry.Claimed claim, ClaimAnswer.Expired expired) {
    String externalId = expired.externalId();
    return Failure.of(
            "effect-expired",
            "effect '%s' '%s' was done before%s, and its result is not kept any more: nothing was sent. Use another key; only a run admitted by afterRetention NEW does it again."
                .formatted(
                    claim.name(),
                    claim.key(),
                    externalId == null ? "" : " (external id " + externalId + ")"),
            false)
        .at(claim.step());
  }
}
