package dev.hapax.store;

import java.util.List;

/**
 * The next rows of a tenant that is to be erased, each by its number in order.
 *
 * @param expired runs of which only the key is remembered
 * @param expiredEffects effects of which only the key is remembered
 */
public record ErasablePage(
    List<Long> runs, List<Long> expired, List<Long> effects, List<Long> expiredEffects) {
  public boolean isEmpty() {
    return runs.isEmpty() && expired.isEmpty() && effects.isEmpty() && expiredEffects.isEmpty();
  }

  /** The place of a page: only rows with larger numbers are on it. */
  public record After(long run, long expired, long effect, long expiredEffect) {
    public static final After BEGIN = new After(0, 0, 0, 0);
  }

  /** The place from which rows of this page that are left are found again. */
  public After again(After last) {
    return new After(
        runs.isEmpty() ? last.run() : runs.getFirst() - 1,
        expired.isEmpty() ? last.expired() : expired.getFirst() - 1,
        effects.isEmpty() ? last.effect() : effects.getFirst() - 1,
        expiredEffects.isEmpty() ? last.expiredEffect() : expiredEffects.getFirst() - 1);
  }
}
