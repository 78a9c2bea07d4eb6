package dev.hapax.run.ledger;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A ledger row that is brought in from outside: another system did the effect, or an earlier store.
 * No run owns it.
 *
 * @param number for the ledger row, if this makes one
 * @param revision the last one that was sent; 1 if nothing else is known
 * @param output JSON text, or the reference to one
 * @param at when it was done
 * @param source who brought it in, and when; begins with {@link #SOURCE}
 */
public record EffectImport(
    long number,
    EffectKey key,
    Kind kind,
    int revision,
    @Nullable String externalId,
    @Nullable String output,
    @Nullable ObjectVersion version,
    Instant at,
    String source) {
  /** Where a claim says which run did it before, an imported row has a text that begins so. */
  public static final String SOURCE = ClaimAnswer.IMPORTED;

  /** The guard of imported rows; it matches every guard. */
  public static final String GUARD = "imported";

  private static final Step STEP = new Step("import", null);

  /** Returns the new row. */
  public EffectRecord row() {
    return new EffectRecord(
        number,
        key,
        kind,
        GUARD,
        EffectState.DONE,
        revision,
        EffectRecord.NO_RUN,
        STEP,
        0,
        null,
        null,
        version,
        output,
        externalId,
        at,
        null,
        source);
  }
}
