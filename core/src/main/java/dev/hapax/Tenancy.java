package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.flow.Activity;
import dev.hapax.flow.TenantContent;
import dev.hapax.flow.TenantLoad;
import dev.hapax.store.Store;

/** What one tenant uses and keeps. Safe for many threads. */
public final class Tenancy {
  private final Engine engine;
  private final Store store;
  private final String tenant;

  Tenancy(Engine engine, Store store, String tenant) {
    this.engine = engine;
    this.store = store;
    this.tenant = tenant;
  }

  /** Returns what the tenant uses of this process now. */
  public TenantLoad load() {
    return engine.load(tenant);
  }

  /** Counts what the store keeps of the tenant. Reads many rows: ask it rarely. */
  public TenantContent content() {
    return store.tenants().content(tenant);
  }

  /** Counts what the tenant's runs did in a span of time, and what of them is open now. */
  public Activity activity(Activity.Span span) {
    return store.tenants().activity(tenant, span);
  }

  /**
   * Begins to erase the tenant, or continues. The engine's {@link dev.hapax.flow.TenantLimits} must
   * hold the tenant back.
   */
  public Erasure erasure() {
    return new Erasure(engine, store, tenant);
  }
}
