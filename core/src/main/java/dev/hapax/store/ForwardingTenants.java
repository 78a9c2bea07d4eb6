package dev.hapax.store;

import dev.hapax.flow.Activity;
import dev.hapax.flow.TenantContent;

/** The reads about tenants of a {@link ForwardingStore}. */
final class ForwardingTenants implements TenantReads {
  private final ForwardingStore store;

  ForwardingTenants(ForwardingStore store) {
    this.store = store;
  }

  private TenantReads to() {
    return store.to().tenants();
  }

  @Override
  public TenantContent content(String tenant) {
    return store.call("content", () -> to().content(tenant));
  }

  @Override
  public ErasablePage erasable(String tenant, ErasablePage.After after, int limit) {
    return store.call("erasable", () -> to().erasable(tenant, after, limit));
  }

  @Override
  public long runsSince(String tenant, long first) {
    return store.call("runsSince", () -> to().runsSince(tenant, first));
  }

  @Override
  public OpenWork open(int newest) {
    return store.call("open", () -> to().open(newest));
  }

  @Override
  public Activity activity(String tenant, Activity.Span span) {
    return store.call("activity", () -> to().activity(tenant, span));
  }
}
