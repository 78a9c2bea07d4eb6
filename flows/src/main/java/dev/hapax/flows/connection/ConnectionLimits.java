package dev.hapax.flows.connection;

import dev.hapax.flow.Destination;
import dev.hapax.flow.Rate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an external system. The engine keeps them over all flows: a step that must wait for
 * its turn has sent nothing.
 *
 * @param rate how many calls may begin in a period; null: any number
 * @param calls how many may be under way at once; null: any number
 * @param breaker after how many failures in a row calls pause, and for how long; null: never
 */
public record ConnectionLimits(
    @Nullable Rate rate, @Nullable Integer calls, Destination.@Nullable Breaker breaker) {
  public static final ConnectionLimits NONE = new ConnectionLimits(null, null, null);

  public ConnectionLimits {
    new Destination("any", rate, calls, breaker); // refuses now what it would refuse later
  }

  public ConnectionLimits rate(int limit, Duration per) {
    return new ConnectionLimits(new Rate(limit, per), calls, breaker);
  }

  public ConnectionLimits calls(int atOnce) {
    return new ConnectionLimits(rate, atOnce, breaker);
  }

  public ConnectionLimits breaker(int failures, Duration pause) {
    return new ConnectionLimits(rate, calls, new Destination.Breaker(failures, pause));
  }

  /** Converts to the engine's destination. */
  public Destination of(String connection) {
    return new Destination(connection, rate, calls, breaker);
  }
}
