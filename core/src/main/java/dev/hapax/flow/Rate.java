package dev.hapax.flow;

import java.time.Duration;

/** A limit per period, evenly spaced: 100 per second means one every 10 ms. */
public record Rate(int limit, Duration per) {
  private static final Duration LONGEST = Duration.ofDays(366);

  public Rate {
    if (limit < 1) {
      throw new IllegalArgumentException("rate: expected 1 or more, got " + limit);
    }
    Names.positive("period of a rate", per);
    if (per.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "period of a rate: expected at most " + LONGEST.toDays() + " days, got " + per);
    }
  }

  /** Returns the time between the beginnings of two calls or runs, in nanoseconds. */
  public long nanosApart() {
    return Math.ceilDiv(per.toNanos(), limit);
  }

  @Override
  public String toString() {
    return "%,d per %s".formatted(limit, per);
  }
}
