package dev.hapax.testkit.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Every random choice of a simulation, drawn from one list of numbers in which 0 is always the dull
 * choice (no fault, the thread that waited longest). The list is kept, so that a failure can be
 * shrunk by leaving numbers out and making them smaller. It survives code changes that a seed would
 * not.
 */
public final class Choices {
  private static final int PER_MILLE = 1000;

  private final @Nullable SplittableRandom random;
  private final int[] given;
  private int[] taken = new int[1024];
  private int count;

  private Choices(@Nullable SplittableRandom random, int[] given) {
    this.random = random;
    this.given = given;
  }

  public static Choices of(long seed) {
    return new Choices(new SplittableRandom(seed), new int[0]);
  }

  /** Repeats the same choices. Where the list ends, everything is dull. */
  public static Choices again(List<Integer> list) {
    return new Choices(null, list.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Returns a number from 0 (inclusive) to {@code bound} (exclusive). A bound that leaves no choice
   * takes a number too, so that a number made dull leaves the others at their places.
   */
  public int below(int bound) {
    if (bound <= 1) {
      return keep(0);
    }
    return keep(random != null ? random.nextInt(bound) : Math.min(next(), bound - 1));
  }

  /** Returns true this often. An impossible event takes a number too. */
  public boolean chance(int perMille) {
    int drawn = perMille == 0 ? 0 : random != null ? lot(random, perMille) : Math.min(next(), 1);
    return keep(drawn) == 1;
  }

  private static int lot(SplittableRandom random, int perMille) {
    return random.nextInt(PER_MILLE) < perMille ? 1 : 0;
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  public final <T> T oneOf(T... values) {
    return values[below(values.length)];
  }

  /** Returns the numbers drawn so far. */
  public List<Integer> taken() {
    return Arrays.stream(taken, 0, count).boxed().toList();
  }

  /** Returns how many numbers were drawn so far. */
  public int count() {
    return count;
  }

  private int next() {
    return count < given.length ? given[count] : 0;
  }

  private int keep(int drawn) {
    if (count == taken.length) {
      taken = Arrays.copyOf(taken, 2 * count);
    }
    taken[count++] = drawn;
    return drawn;
  }
}
