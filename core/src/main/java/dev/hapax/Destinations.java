package dev.hapax;

import dev.hapax.flow.Destination;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.Limits;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
  public Map<String, State> states() {
    var states = new TreeMap<String, State>();
    limiters.states(tenant).forEach((name, state) -> states.put(name, state(name, state)));
    return states;
  }

  /** Returns how busy the destinations of all tenants are, in this process. */
  public Load ofAllTenants() {
    var breakers = new TreeMap<String, Integer>();
    int waiting = 0;
    for (DestinationLimiter.State state : limiters.states()) {
      breakers.merge(state.breaker(), 1, Integer::sum);
      waiting += state.waiting();
    }
    return new Load(breakers, waiting);
  }

  private static State state(String name, DestinationLimiter.State state) {
    Limits limits = state.limits();
    return new State(
        new Destination(name, limits.rate(), limits.calls(), limits.breaker()),
        state.breaker(),
        state.closedUntil(),
        state.underWay(),
        state.waiting());
  }

  /**
   * The limits of a destination and its current state.
   *
   * @param breaker {@code closed}, {@code open} or {@code half-open}
   * @param closedUntil when calls continue, if the destination asked for a pause or does not answer
   * @param underWay how many calls are under way
   * @param waiting how many calls wait for their turn
   */
  public record State(
      Destination limits,
      String breaker,
      @Nullable Instant closedUntil,
      int underWay,
      int waiting) {}

  /**
   * How busy destinations are.
   *
   * @param breakers how many circuit breakers are in each state
   * @param waiting how many calls wait for their turn
   */
  public record Load(Map<String, Integer> breakers, int waiting) {}
}
