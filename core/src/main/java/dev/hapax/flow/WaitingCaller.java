package dev.hapax.flow;

/**
 * Work that a caller outside waits for, such as the handling of an HTTP request. If the store is
 * full, such a caller gets {@link StoreFull} for what it asks the store to write, and can ask again
 * later. All other work has been accepted, and waits for space.
 */
public final class WaitingCaller {
  private static final ScopedValue<Boolean> WAITS = ScopedValue.newInstance();

  private WaitingCaller() {}

  /** Carries out work in this thread that a caller outside waits for. */
  public static <T, E extends Exception> T waitsFor(ScopedValue.CallableOp<T, E> work) throws E {
    return ScopedValue.where(WAITS, true).call(work);
  }

  /** Whether a caller outside waits for what this thread does. */
  public static boolean isThere() {
    return WAITS.isBound();
  }
}
