package dev.hapax.limit;

import dev.hapax.flow.TenantLimits;
import dev.hapax.time.Clock;
import dev.hapax.time.Threads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many calls of a tenant are under way at once, to all of its destinations together.
 * Safe for many threads.
 */
public final class TenantCalls {
  private final TenantLimits limits;
  private final DestinationLimiters limiters;
  private final Set<String> limited = ConcurrentHashMap.newKeySet();

  /**
   * Calls of all tenants.
   *
   * @param wake called with a run that may come back early
   */
  public TenantCalls(TenantLimits limits, Clock clock, Threads threads, LongConsumer wake) {
    this.limits = limits;
    this.limiters = new DestinationLimiters("tenant", clock, threads, wake);
  }

  /** Returns the tenant's limiter with its present limit; null if it never had one. */
  public @Nullable DestinationLimiter of(String tenant) {
    int most = limits.mostCalls(tenant);
    if (most == Integer.MAX_VALUE) {
      // Calls that wait by a limit that was lifted need to learn of it.
      return limited.contains(tenant) ? limiters.of(tenant, tenant, Limits.NONE) : null;
    }
    limited.add(tenant);
    return limiters.of(tenant, tenant, new Limits(null, most, null));
  }

  /** Returns how many calls are under way; 0 if the tenant never had a limit. */
  public int underWay(String tenant) {
    return limited.contains(tenant) ? limiters.of(tenant, tenant).state().underWay() : 0;
  }
}
