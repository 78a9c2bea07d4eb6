package dev.hapax.flow;

import java.time.Duration;

/**
 * Decides when to try again, and when to stop. It does not decide whether a repeat is safe; the
 * guard does.
 *
 * @param attempts the most attempts
 * @param delay the delay before the second attempt
 * @param factor by which the delay grows after each attempt
 * @param maxDelay the longest delay
 * @param jitter how far a delay varies at random, from 0 to 1
 * @param within no attempt begins later than this after the first one
 */
public record RetryPolicy(
    int attempts,
    Duration delay,
    double factor,
    Duration maxDelay,
    double jitter,
    Duration within) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(5, Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2, Duration.ofHours(1));

  public RetryPolicy {
    check(attempts >= 1, "attempts", "1 or more", attempts);
    Names.bounded("retry.delay", delay);
    check(factor >= 1, "factor", "1 or more", factor);
    Names.bounded("retry.maxDelay", maxDelay);
    check(jitter >= 0 && jitter <= 1, "jitter", "0 to 1", jitter);
    Names.bounded("retry.within", within);
  }

  public RetryPolicy attempts(int attempts) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  public RetryPolicy delay(Duration delay) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  /** Sets by how much the delay grows from one attempt to the next. */
  public RetryPolicy factor(double factor) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  public RetryPolicy maxDelay(Duration maxDelay) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  /** Sets the part of the delay, from 0 to 1, by which it is spread in both directions. */
  public RetryPolicy jitter(double jitter) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  /** Sets how long after the first attempt the last one may begin. */
  public RetryPolicy within(Duration within) {
    return new RetryPolicy(attempts, delay, factor, maxDelay, jitter, within);
  }

  /**
   * Returns how long to wait after this many attempts. The chance, from 0 to 1, spreads the delay
   * by the jitter in both directions.
   */
  public Duration delayAfter(int attempt, double chance) {
    double grown = (double) delay.toMillis() * Math.pow(factor, attempt - 1.0);
    double capped = Math.min(grown, (double) maxDelay.toMillis());
    return Duration.ofMillis(Math.round(capped * (1 + jitter * (2 * chance - 1))));
  }

  private static void check(boolean holds, String name, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(
          "retry." + name + ": expected " + expected + ", got " + found);
    }
  }
}
