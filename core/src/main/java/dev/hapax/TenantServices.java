package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.engine.control.RunControl;
import dev.hapax.store.Store;
import org.jspecify.annotations.Nullable;

/** The parts of an engine that each tenant has for itself. */
record TenantServices(
    Outbox outbox,
    Inbox inbox,
    Schedules schedules,
    Resources resources,
    Kv kv,
    LedgerBook ledger) {

  /**
   * @param couriersOf the tenant whose messages the outbox's couriers deliver; null for all tenants
   */
  static TenantServices of(
      Engine engine,
      Store store,
      RunControl control,
      HapaxOptions options,
      @Nullable String couriersOf) {
    String tenant = options.tenant();
    return new TenantServices(
        new Outbox(engine, store, control, tenant, couriersOf),
        new Inbox(engine, store, tenant, options.retentionOptions().events()),
        new Schedules(engine, store, tenant),
        new Resources(engine.values(), tenant),
        new Kv(store, engine.values(), engine.committer(), engine.clock(), engine.ids(), tenant),
        new LedgerBook(
            store, engine.values(), engine.committer(), engine.clock(), engine.ids(), tenant));
  }
}
