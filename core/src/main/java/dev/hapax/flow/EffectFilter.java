package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Which effects to list; null does not filter.
 *
 * @param before only effects with a smaller number, to page on
 * @param search for other properties
 */
public record EffectFilter(
    String tenant,
    @Nullable String name,
    @Nullable String key,
    @Nullable EffectState state,
    @Nullable Long before,
    EffectSearch search,
    int limit) {
  public EffectFilter(
      String tenant,
      @Nullable String name,
      @Nullable String key,
      @Nullable EffectState state,
      @Nullable Long before,
      int limit) {
    this(tenant, name, key, state, before, EffectSearch.NONE, limit);
  }

  public static EffectFilter of(String tenant) {
    return new EffectFilter(tenant, null, null, null, null, 200);
  }

  /** Only effects with this name. */
  public EffectFilter name(String effect) {
    return new EffectFilter(tenant, effect, key, state, before, search, limit);
  }

  /** Only effects with this business key. */
  public EffectFilter key(String business) {
    return new EffectFilter(tenant, name, business, state, before, search, limit);
  }

  public EffectFilter state(EffectState state) {
    return new EffectFilter(tenant, name, key, state, before, search, limit);
  }

  /** The page after the one that ended with the effect with this number. */
  public EffectFilter before(long number) {
    return new EffectFilter(tenant, name, key, state, number, search, limit);
  }

  public EffectFilter limit(int most) {
    return new EffectFilter(tenant, name, key, state, before, search, most);
  }

  /** Only effects that have these properties. */
  public EffectFilter search(EffectSearch wanted) {
    return new EffectFilter(tenant, name, key, state, before, wanted, limit);
  }

  /** Only effects that this run has claimed, also those that it reused. */
  public EffectFilter of(Run run) {
    return search(search.run(run.number()));
  }

  /** Only effects whose business key begins with this. */
  public EffectFilter keyPrefix(String beginning) {
    return search(search.key(TextMatch.beginningWith(beginning)));
  }

  /** Only effects that have this id at their destination. */
  public EffectFilter externalId(String id) {
    return search(search.externalId(TextMatch.exactly(id)));
  }

  /** Only the effect that sent this key to its destination. */
  public EffectFilter wireKey(String sent) {
    return search(search.wireKey(sent));
  }

  /** Whether the effect is in the list, no matter on which page or of which run. */
  public boolean admits(EffectRecord effect) {
    return effect.key().tenant().equals(tenant)
        && (name == null || name.equals(effect.key().name()))
        && (key == null || key.equals(effect.key().key()))
        && (state == null || state == effect.state())
        && search.admits(effect);
  }

  /** The same filter for the effects of this tenant, no matter which one it named. */
  public EffectFilter ownedBy(String owner) {
    return new EffectFilter(owner, name, key, state, before, search, limit);
  }
}
