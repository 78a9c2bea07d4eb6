package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An external system and its limits. Effects name their destination with {@link Effect#to}. Limits
 * belong to the destination: effects of all flows share them. Example: {@code
 * Destination.of("psp").rate(100, Duration.ofSeconds(1)).calls(8)}.
 *
 * @param rate how many calls may begin in a period; null: no limit
 * @param calls how many calls may be under way at once; null: no limit
 * @param breaker when calls stop for a while; null: never
 */
public record Destination(
    String name, @Nullable Rate rate, @Nullable Integer calls, @Nullable Breaker breaker) {

  public Destination {
    Names.destination(name);
    if (calls != null && calls < 1) {
      throw new IllegalArgumentException(
          "calls of destination '%s': expected 1 or more, got %d".formatted(name, calls));
    }
  }

  /** Returns a destination without limits. */
  public static Destination of(String name) {
    return new Destination(name, null, null, null);
  }

  /** Limits how many calls begin in each period. They are evenly spaced. */
  public Destination rate(int limit, Duration per) {
    return new Destination(name, new Rate(limit, per), calls, breaker);
  }

  /** Limits how many calls are under way at once. */
  public Destination calls(int atOnce) {
    return new Destination(name, rate, atOnce, breaker);
  }

  /**
   * Adds a circuit breaker: after this many failures in a row, calls stop for the pause. Then one
   * call probes the destination, and if it is answered, the others follow.
   */
  public Destination breaker(int failures, Duration pause) {
    return new Destination(name, rate, calls, new Breaker(failures, pause));
  }

  /**
   * When calls stop for a while.
   *
   * @param failures how many calls in a row get no meaningful answer: a timeout, a reset, a refused
   *     connection; a rejected request is an answer
   */
  public record Breaker(int failures, Duration pause) {
    public Breaker {
      if (failures < 1) {
        throw new IllegalArgumentException(
            "failures of a circuit breaker: expected 1 or more, got " + failures);
      }
      Names.positive("pause of a circuit breaker", pause);
    }
  }
}
