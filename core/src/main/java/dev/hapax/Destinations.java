package dev.hapax;

import dev.hapax.flow.Destination;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.Limits;
import java.util.Map;

/**
 * What the systems outside bear, by the names that effects give them. A name that was never
 * registered has no limits. Safe for many threads.
 */
public final class Destinations {
  private final DestinationLimiters limiters;
  private final String tenant;

  Destinations(DestinationLimiters limiters, String tenant) {
    this.limiters = limiters;
    this.tenant = tenant;
  }

  /**
   * From now on effects to this destination keep to its limits, in this process; registered again,
   * the new ones hold. Best done before the flows are registered whose runs go there.
   */
  public void register(Destination destination) {
    limiters.of(tenant, destination.name(), Limits.of(destination));
  }

  /** How each stands that was registered, or that an effect has gone to, by name. */
  public Map<String, DestinationLimiter.State> states() {
    return limiters.states(tenant);
  }
}
