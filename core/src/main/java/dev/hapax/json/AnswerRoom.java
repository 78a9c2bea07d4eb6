package dev.hapax.json;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Memory for answers of destinations, from before they are read until an attempt has written down
 * what it makes of them: many small values take a hundred times the memory of their text. Attempts
 * that find no room wait for each other; while an attempt waits for a destination, it has none. So
 * each gets its turn soon. Safe for many threads.
 */
public final class AnswerRoom {
  /** Of the heap; runs have a quarter for the values that they keep. */
  private static final int PART_OF_HEAP = 8;

  private static final int UNIT = 1 << 10;

  /** Smaller answers are not counted. */
  private static final long LEAST = 256 << 10;

  /** The value, and the one that is made from it without secrets. */
  private static final int COPIES = 2;

  private static final int MOST =
      Math.clamp(Runtime.getRuntime().maxMemory() / PART_OF_HEAP / UNIT, 1, Integer.MAX_VALUE);
  private static final Semaphore FREE = new Semaphore(MOST, true);
  private static final ScopedValue<Taken> CURRENT = ScopedValue.newInstance();

  private AnswerRoom() {}

  /** What one attempt has. Used by its thread. */
  private static final class Taken {
    private int units;

    void take(int wanted) {
      giveBack(); // nobody waits for room who has some
      FREE.acquireUninterruptibly(wanted);
      units = wanted;
    }

    void giveBack() {
      FREE.release(units);
      units = 0;
    }
  }

  /** Carries out an attempt, with all that it reads and writes down. */
  public static <T extends @Nullable Object, E extends Exception> T within(
      ScopedValue.CallableOp<T, E> attempt) throws E {
    if (CURRENT.isBound()) {
      return attempt.call();
    }
    var taken = new Taken();
    try {
      return ScopedValue.where(CURRENT, taken).call(attempt);
    } finally {
      taken.giveBack();
    }
  }

  /** The attempt asks a destination now, which may take long: what it had is free. */
  public static void leave() {
    if (CURRENT.isBound()) {
      CURRENT.get().giveBack();
    }
  }

  /** Whether the value of this text would take more memory than there is for all answers. */
  public static boolean isTooLarge(String json) {
    return JsonWeight.of(json) / UNIT > MOST;
  }

  /**
   * Reads the value of a text when there is memory for it.
   *
   * @throws NotSerializable if it is not JSON
   */
  public static @Nullable Object read(String json) {
    long weight = COPIES * JsonWeight.of(json);
    if (weight < LEAST) {
      return Json.read(json, Object.class);
    }
    int units = (int) Math.min(MOST, weight / UNIT);
    if (CURRENT.isBound()) {
      CURRENT.get().take(units);
      return Json.read(json, Object.class);
    }
    var alone = new Taken();
    alone.take(units);
    try {
      return Json.read(json, Object.class);
    } finally {
      alone.giveBack();
    }
  }
}
