package dev.hapax;

import dev.hapax.flow.Destination;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.Limits;
import java.util.Map;

/**
 * Limits and current state of external systems, by the names that effects give them. A destination
 * that is not registered has no limits. Safe for many threads.
 */
public final class Destinations {
  private final DestinationLimiters limiters;
  private final String tenant;

  Destinations(DestinationLimiters limiters, String tenant) {
    this.limiters = limiters;
    this.tenant = tenant;
  }

  /**
   * Applies these limits to all effects to this destination, in this process. Registering a
   * destination again replaces its limits. Register it before the flows that use it.
   */
  public void register(Destination destination) {
    limiters.of(tenant, destination.name(), Limits.of(destination));
  }

  /**
   * Returns the state of each destination that was registered or that an effect was sent to, by
   * name.
   */
  public Map<String, DestinationLimiter.State> states() {
    return limiters.states(tenant);
  }
}
