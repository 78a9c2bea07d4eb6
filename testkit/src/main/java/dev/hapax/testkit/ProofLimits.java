package dev.hapax.testkit;

import java.time.Duration;

/**
 * How much a proof tries, and how long it may take.
 *
 * @param within real time; boundaries that it does not reach in this time are listed as not tried
 * @param atOnce how many runs go on at the same time, each in its own world
 * @param requestsPerEffect how many requests of one effect are disturbed; the choice is even
 * @param commits at how many commits the process dies; the choice is even
 */
public record ProofLimits(Duration within, int atOnce, int requestsPerEffect, int commits) {
  /** Tries everything, one run after the other. */
  public static final ProofLimits NONE =
      new ProofLimits(Duration.ofDays(1), 1, Integer.MAX_VALUE, Integer.MAX_VALUE);

  public ProofLimits {
    if (within.isNegative() || within.isZero()) {
      throw new IllegalArgumentException("within: expected more than 0, got " + within);
    }
    if (atOnce < 1 || requestsPerEffect < 1 || commits < 1) {
      throw new IllegalArgumentException(
          "expected at least 1 run at once, request per effect and commit, got %d, %d, %d"
              .formatted(atOnce, requestsPerEffect, commits));
    }
  }

  public ProofLimits within(Duration time) {
    return new ProofLimits(time, atOnce, requestsPerEffect, commits);
  }

  public ProofLimits atOnce(int runs) {
    return new ProofLimits(within, runs, requestsPerEffect, commits);
  }
}
