package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A system outside and what it bears. Effects name theirs with {@link Effect#to}; all that name the
 * same one share its limits, whichever flow they belong to. Reads as a sentence: {@code
 * Destination.of("psp").rate(100, Duration.ofSeconds(1)).calls(8)}.
 *
 * @param rate how many calls may begin in a period; null: any number
 * @param calls how many may be under way at once; null: any number
 * @param breaker when it is left alone; null: never
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

  /** One that bears anything. */
  public static Destination of(String name) {
    return new Destination(name, null, null, null);
  }

  /** At most so many calls begin in each period, evenly spaced. */
  public Destination rate(int limit, Duration per) {
    return new Destination(name, new Rate(limit, per), calls, breaker);
  }

  /** At most so many calls are under way at once. */
  public Destination calls(int atOnce) {
    return new Destination(name, rate, atOnce, breaker);
  }

  /**
   * After so many failures in a row it is left alone for a while; then one call tries, and if it is
   * answered the others follow.
   */
  public Destination breaker(int failures, Duration pause) {
    return new Destination(name, rate, calls, new Breaker(failures, pause));
  }

  /**
   * When calls stop for a while.
   *
   * @param failures how many calls in a row have no answer that says anything: a timeout, a reset,
   *     a refused connection; a refusal of what was asked is an answer
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
