package dev.hapax.store;

import dev.hapax.flow.TenantContent;

/** Reads about tenants as a whole. */
public interface TenantReads {
  /** What the store keeps of this tenant. Reads the rows of all tenants: ask it rarely. */
  TenantContent content(String tenant);

  /** The next rows of a tenant that is to be erased; up to so many of each kind. */
  ErasablePage erasable(String tenant, ErasablePage.After after, int limit);

  /**
   * How many runs of this tenant have this number or a larger one, without those that other runs
   * started.
   */
  long runsSince(String tenant, long first);
}
