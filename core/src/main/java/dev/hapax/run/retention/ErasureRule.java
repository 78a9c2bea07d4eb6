package dev.hapax.run.retention;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.Answer.RunErased.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the values of a run can be erased for a person, and what stays of its rows. Keys
 * stay as hashes, and states, times and fingerprints as they are, so that nothing is done a second
 * time. Pure, and called by every store inside its transaction.
 */
public final class ErasureRule {
  /** How many rows of one journal are rewritten in one commit. */
  public static final int MOST_JOURNAL_ROWS = 200;

  private ErasureRule() {}

  /**
   * Why the values must stay for now; null if they can be erased.
   *
   * @param run null if there is none
   * @param callerIsOpen whether the run that started it, and may read its result, has not ended
   * @param ownsOpenEffect whether it owns an effect that is in doubt, in review or being undone
   */
  public static @Nullable Outcome refusal(
      @Nullable Run run, String tenant, boolean callerIsOpen, boolean ownsOpenEffect) {
    if (run == null || !run.tenant().equals(tenant)) {
      return Outcome.GONE;
    }
    if (!run.status().isEnd() || callerIsOpen) {
      return Outcome.OPEN;
    }
    return ownsOpenEffect ? Outcome.HELD : null;
  }

  /** The ledger row of an effect that an erased run owns. */
  public static EffectRecord erased(EffectRecord row, boolean externalIds) {
    return new EffectRecord(
        row.number(),
        row.key().erased(row.revision()),
        row.kind(),
        row.guard(),
        row.state(),
        row.revision(),
        row.run(),
        Erased.step(row.run(), row.step()),
        row.attempts(),
        row.fingerprint(),
        null,
        row.version(),
        Erased.json(row.result()),
        externalIds ? null : row.externalId(),
        row.firstSentAt(),
        row.reusedBy(),
        Erased.text(row.evidence()));
  }
}
