package dev.hapax.testkit.fault;

import java.time.Duration;

/**
 * How often a test repeats its work: in every build a fixed number, with {@code -Plong} as many
 * times as its property says and for at least {@code -Dhapax.minutes}.
 */
public final class Programme {
  private final long count;
  private final long start = System.nanoTime();
  private final long atLeast;

  private Programme(long count, Duration atLeast) {
    this.count = count;
    this.atLeast = atLeast.toNanos();
  }

  /** Repeats as often as the property says, also outside a long run; else one of these numbers. */
  public static Programme of(String property, long inEveryBuild, long inLongRun) {
    boolean isLong = Boolean.getBoolean("hapax.long");
    long count = Long.getLong(property, isLong ? inLongRun : inEveryBuild);
    long minutes = isLong ? Long.getLong("hapax.minutes", 0) : 0;
    return new Programme(count, Duration.ofMinutes(minutes));
  }

  /** Whether to continue after this many repetitions. */
  public boolean goesOn(long done) {
    return done < count || System.nanoTime() - start < atLeast;
  }

  public Duration taken() {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
