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
public record Limits(
    @Nullable Rate rate, @Nullable Integer calls, Destination.@Nullable Breaker breaker) {
  public static final Limits NONE = new Limits(null, null, null);

  public Limits {
    new Destination("any", rate, calls, breaker); // refuses now what it would refuse later
  }

  public Limits rate(int limit, Duration per) {
    return new Limits(new Rate(limit, per), calls, breaker);
  }

  public Limits calls(int atOnce) {
    return new Limits(rate, atOnce, breaker);
  }

  public Limits breaker(int failures, Duration pause) {
    return new Limits(rate, calls, new Destination.Breaker(failures, pause));
  }

  /** Converts to the engine's destination. */
  public Destination of(String connection) {
    return new Destination(connection, rate, calls, breaker);
  }
}
