package dev.hapax;

import dev.hapax.flow.Destination;
import dev.hapax.limit.Limits;
import dev.hapax.limit.Turnstile;
import dev.hapax.limit.Turnstiles;
import java.util.Map;

/**
 * What the systems outside bear, by the names that effects give them. A name that was never
 * registered has no limits. Safe for many threads.
 */
public final class Destinations {
  private final Turnstiles turnstiles;
  private final String tenant;

  Destinations(Turnstiles turnstiles, String tenant) {
    this.turnstiles = turnstiles;
    this.tenant = tenant;
  }

  /**
   * From now on effects to this destination keep to its limits, in this process; registered again,
   * the new ones hold. Best done before the flows are registered whose runs go there.
   */
  public void register(Destination destination) {
    turnstiles.of(tenant, destination.name(), Limits.of(destination));
  }

  /** How each stands that was registered, or that an effect has gone to, by name. */
  public Map<String, Turnstile.State> states() {
    return turnstiles.states(tenant);
  }
}
