package dev.hapax.testkit.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Every chance of a simulation, drawn from one list of numbers in which 0 is always the dull choice
 * (no fault, the one who waited longest). The list is kept, so that a failure can be shrunk by
 * leaving numbers out and making them smaller, and outlives changes of the code that a seed would
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

  /** The same choices again; where the list ends, everything is dull. */
  public static Choices again(List<Integer> list) {
    return new Choices(null, list.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * From 0 (inclusive) to {@code bound} (exclusive). What leaves no choice takes a number too, so
   * that a number made dull leaves the others at their places.
   */
  public int below(int bound) {
    if (bound <= 1) {
      return keep(0);
    }
    return keep(random != null ? random.nextInt(bound) : Math.min(next(), bound - 1));
  }

  /** Happens this often; what cannot happen takes a number too. */
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

  /** What was drawn so far. */
  public List<Integer> taken() {
    return Arrays.stream(taken, 0, count).boxed().toList();
  }

  /** How many were drawn so far. */
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
