package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * What a list of effects is searched for; null does not filter.
 *
 * @param run only effects that the run with this number has claimed, also those that it reused
 * @param key only effects with such a business key
 * @param externalId only effects with such an id at the destination; of those that begin with a
 *     text, the first 500 in the order of their ids
 * @param wireKey only the effect that sent this key, under one of its last revisions
 */
public record EffectSearch(
    @Nullable Long run,
    @Nullable TextMatch key,
    @Nullable TextMatch externalId,
    @Nullable String wireKey) {
  /** An effect is found by the wire keys of this many of its last revisions. */
  public static final int REVISIONS = 100;

  public static final EffectSearch NONE = new EffectSearch(null, null, null, null);

  public EffectSearch run(@Nullable Long number) {
    return new EffectSearch(number, key, externalId, wireKey);
  }

  public EffectSearch key(@Nullable TextMatch business) {
    return new EffectSearch(run, business, externalId, wireKey);
  }

  public EffectSearch externalId(@Nullable TextMatch id) {
    return new EffectSearch(run, key, id, wireKey);
  }

  public EffectSearch wireKey(@Nullable String sent) {
    return new EffectSearch(run, key, externalId, sent);
  }

  /** Whether the search index leads to the effects. */
  public boolean isIndexed() {
    return key != null || wireKey != null;
  }

  /** Decides about everything but the run, whose journal names its effects. */
  public boolean admits(EffectRecord effect) {
    return (key == null || key.admits(effect.key().key()))
        && (externalId == null || externalId.admits(effect.externalId()))
        && (wireKey == null || sent(effect, wireKey));
  }

  private static boolean sent(EffectRecord effect, String wanted) {
    for (int revision = effect.revision();
        revision >= firstRevision(effect.revision());
        revision--) {
      if (effect.key().onWire(revision).equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** The oldest revision whose wire key is still found. */
  public static int firstRevision(int last) {
    return Math.max(1, last - REVISIONS + 1);
  }
}
