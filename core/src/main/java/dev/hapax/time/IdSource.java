package dev.hapax.time;

import java.time.Instant;

/**
 * Makes numbers in order of creation: milliseconds in the high bits, then a counter, then the mark
 * of the node, which distinguishes numbers that several nodes make at the same moment. Rows with
 * these keys are stored in order of creation, so new rows share pages. Safe for many threads.
 */
public final class IdSource {
  /** How many nodes can make numbers at once. */
  public static final int MOST_MARKS = 256;

  private static final int COUNTER_BITS = 20;

  private final Clock clock;
  private final int mark;
  private long last;

  /**
   * Makes numbers larger than every number that any node made until the given time.
   *
   * @param mark of this node; no other node has it
   */
  public IdSource(Clock clock, Instant after, int mark) {
    this.clock = clock;
    this.mark = mark;
    this.last = ((after.toEpochMilli() + 1) << COUNTER_BITS) | mark;
  }

  /** Returns when a number was made. */
  public static Instant timeOf(long number) {
    return Instant.ofEpochMilli(number >> COUNTER_BITS);
  }

  /** Returns the smallest number that can be made at this time. */
  public static long firstAt(Instant time) {
    return time.toEpochMilli() << COUNTER_BITS;
  }

  /**
   * Returns a number larger than all before it, even if the clock stops or the counter of a
   * millisecond overflows.
   */
  public synchronized long next() {
    last = Math.max(last + MOST_MARKS, (clock.now().toEpochMilli() << COUNTER_BITS) | mark);
    return last;
  }
}
