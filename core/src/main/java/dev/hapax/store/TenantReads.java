package dev.hapax.store;

import dev.hapax.flow.Activity;
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

  /**
   * How much of all tenants is open. Its cost grows with what is open, and not with what has ended.
   *
   * @param newest how many runs of each status are read for the counts by flow
   */
  OpenWork open(int newest);

  /** What runs of this tenant did in a span of time, and what of them is open now. */
  Activity activity(String tenant, Activity.Span span);
}
