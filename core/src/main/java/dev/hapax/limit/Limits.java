package dev.hapax.limit;

import dev.hapax.flow.Destination;
import dev.hapax.flow.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a limiter applies.
 *
 * @param rate how many calls begin in a period
 * @param calls how many calls may be under way at once
 * @param breaker when no call may go
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
