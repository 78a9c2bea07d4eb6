package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Which effects to list; null does not filter.
 *
 * @param before only effects with a smaller number, to page on
 */
public record EffectFilter(
    String tenant,
    @Nullable String name,
    @Nullable String key,
    @Nullable EffectState state,
    @Nullable Long before,
    int limit) {
  public static EffectFilter of(String tenant) {
    return new EffectFilter(tenant, null, null, null, null, 200);
  }

  /** Only effects with this name. */
  public EffectFilter name(String effect) {
    return new EffectFilter(tenant, effect, key, state, before, limit);
  }

  /** Only effects with this business key. */
  public EffectFilter key(String business) {
    return new EffectFilter(tenant, name, business, state, before, limit);
  }

  public EffectFilter state(EffectState state) {
    return new EffectFilter(tenant, name, key, state, before, limit);
  }

  /** The page after the one that ended with the effect with this number. */
  public EffectFilter before(long number) {
    return new EffectFilter(tenant, name, key, state, number, limit);
  }

  public EffectFilter limit(int most) {
    return new EffectFilter(tenant, name, key, state, before, most);
  }

  /** The same filter for the effects of this tenant, no matter which one it named. */
  public EffectFilter ownedBy(String owner) {
    return new EffectFilter(owner, name, key, state, before, limit);
  }
}
