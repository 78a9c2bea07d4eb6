package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.TenantLimits.Grant;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides by the quotas of a tenant what new runs and events it may add. Safe for many threads. */
final class StartQuotas {
  private static final String WHAT_TO_DO =
      "or ask the operator of this server for a larger quota. Runs that exist go on, and a repeated start of one gets it";

  private final DailyRuns daily;
  private final StoreMeter meter;
  private final Clock clock;
  private volatile @Nullable Kv map;

  StartQuotas(Store store, Ports ports) {
    this.daily = new DailyRuns(store, ports.clock());
    this.meter = new StoreMeter(store, ports);
    this.clock = ports.clock();
  }

  /** Keeps the counts in this map from now on. */
  void countIn(Kv durable) {
    map = durable;
  }

  Grant take(String tenant, TenantQuotas quotas, int wanted, long bytes) {
    Long most = quotas.storeBytes();
    if (most != null) {
      long kept = meter.bytes(tenant);
      if (kept + bytes > most) {
        return new Grant(0, full(tenant, kept, most));
      }
    }
    Long perDay = quotas.runsPerDay();
    Kv durable = map;
    int granted =
        perDay == null || durable == null ? wanted : daily.take(durable, tenant, wanted, perDay);
    if (most != null && granted > 0) {
      meter.grew(tenant, granted, bytes);
    }
    return perDay == null || granted == wanted
        ? new Grant(granted, null)
        : new Grant(granted, usedUp(tenant, perDay));
  }

  /** Returns why the tenant may not keep an event of this size; null if it may. */
  @Nullable QuotaExceeded refusalToKeep(String tenant, TenantQuotas quotas, long bytes) {
    Long most = quotas.storeBytes();
    if (most == null) {
      return null;
    }
    long kept = meter.bytes(tenant);
    if (kept + bytes > most) {
      return full(tenant, kept, most);
    }
    meter.grew(tenant, 1, bytes);
    return null;
  }

  private static QuotaExceeded full(String tenant, long kept, long most) {
    return new QuotaExceeded(
        "storeBytes",
        most,
        null,
        "tenant '%s' keeps about %,d bytes in the store, and its quota storeBytes is %,d: delete entries of the map and large values that are not needed, let runs expire sooner (retention), %s"
            .formatted(tenant, kept, most, WHAT_TO_DO));
  }

  private QuotaExceeded usedUp(String tenant, long most) {
    Duration rest = Duration.between(clock.now(), daily.tomorrow());
    return new QuotaExceeded(
        "runsPerDay",
        most,
        rest.plusSeconds(1),
        "tenant '%s' has started %,d runs today, which is its quota runsPerDay: try again after %s, %s"
            .formatted(tenant, most, daily.tomorrow(), WHAT_TO_DO));
  }

  void giveBack(String tenant, int runs) {
    daily.giveBack(tenant, runs);
  }

  @Nullable Long runsToday(String tenant) {
    Kv durable = map;
    return durable == null ? null : (Long) daily.today(durable, tenant);
  }

  long bytes(String tenant) {
    return meter.bytes(tenant);
  }
}
