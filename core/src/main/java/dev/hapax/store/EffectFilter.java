package dev.hapax.store;

import dev.hapax.run.EffectState;
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

  public EffectFilter state(EffectState state) {
    return new EffectFilter(tenant, name, key, state, before, limit);
  }

  /** The same filter for the effects of this tenant, no matter which one it named. */
  public EffectFilter ownedBy(String owner) {
    return new EffectFilter(owner, name, key, state, before, limit);
  }
}
