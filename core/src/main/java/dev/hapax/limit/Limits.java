package dev.hapax.limit;

import dev.hapax.flow.Destination;
import dev.hapax.flow.Rate;
import org.jspecify.annotations.Nullable;

/**
 * What a limiter holds to.
 *
 * @param rate how many go through in a period
 * @param calls how many may be on the other side at once
 * @param breaker when nobody goes through
 */
public record Limits(
    @Nullable Rate rate, @Nullable Integer calls, Destination.@Nullable Breaker breaker) {
  public static final Limits NONE = new Limits(null, null, null);

  public static Limits of(Destination destination) {
    return new Limits(destination.rate(), destination.calls(), destination.breaker());
  }

  public static Limits of(Rate rate) {
    return new Limits(rate, null, null);
  }
}
