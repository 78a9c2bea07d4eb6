package dev.hapax.time;

import java.time.Instant;

/**
 * Numbers in order of creation: milliseconds in the high bits, a counter in the low ones. Rows
 * keyed by them lie in the order in which they were made, so new rows share pages. Safe for many
 * threads.
 */
public final class IdSource {
  private static final int COUNTER_BITS = 20;

  private final Clock clock;
  private long last;

  /**
   * Numbers from here on lie after every number that was made until the given time, by whomever.
   */
  public IdSource(Clock clock, Instant after) {
    this.clock = clock;
    this.last = (after.toEpochMilli() + 1) << COUNTER_BITS;
  }

  /** When a number was made. */
  public static Instant timeOf(long number) {
    return Instant.ofEpochMilli(number >> COUNTER_BITS);
  }

  /** The smallest number that can be made at this time. */
  public static long firstAt(Instant time) {
    return time.toEpochMilli() << COUNTER_BITS;
  }

  /**
   * Larger than every number before it, also when the clock stands still or the counter of a
   * millisecond runs over.
   */
  public synchronized long next() {
    last = Math.max(last + 1, clock.now().toEpochMilli() << COUNTER_BITS);
    return last;
  }
}
