package dev.hapax.effect;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;

/** The words for a key that was used for something else; the same when a journal is read again. */
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
}
