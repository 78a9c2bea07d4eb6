package dev.hapax.time;

import java.time.Instant;

/**
 * Numbers in order of creation: milliseconds in the high bits, then a counter, then the mark of the
 * node, by which nodes that make numbers at the same moment differ. Rows keyed by them lie in the
 * order in which they were made, so new rows share pages. Safe for many threads.
 */
public final class IdSource {
  /** How many nodes can make numbers at once. */
  public static final int MOST_MARKS = 256;

  private static final int COUNTER_BITS = 20;

  private final Clock clock;
  private final int mark;
  private long last;

  /**
   * Numbers from here on lie after every number that was made until the given time, by whomever.
   *
   * @param mark of this node, which no other has
   */
  public IdSource(Clock clock, Instant after, int mark) {
    this.clock = clock;
    this.mark = mark;
    this.last = ((after.toEpochMilli() + 1) << COUNTER_BITS) | mark;
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
    last = Math.max(last + MOST_MARKS, (clock.now().toEpochMilli() << COUNTER_BITS) | mark);
    return last;
  }
}
