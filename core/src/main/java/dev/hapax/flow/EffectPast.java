package dev.hapax.flow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the history of its run says about the current revision of an effect.
 *
 * @param lines oldest first
 * @param leftOut how many lines are left out: of very many, those in the middle
 * @param since when it last came to a person; null if it did not
 * @param wasInDoubt whether any line, also one that is left out, says that it was in doubt
 * @param isContradicted whether any line says that the destination contradicted a person
 */
public record EffectPast(
    List<HistoryEntry> lines,
    long leftOut,
    @Nullable Instant since,
    boolean wasInDoubt,
    boolean isContradicted) {
  /** Of an effect whose run has no record. */
  public static final EffectPast NONE = new EffectPast(List.of(), 0, null, false, false);

  public EffectPast {
    lines = List.copyOf(lines);
  }
}
