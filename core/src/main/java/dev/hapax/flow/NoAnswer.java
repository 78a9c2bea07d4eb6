package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * The store has not answered: not now, not any more, or because it was closed. This says nothing
 * about the question itself: code that turns other failures into decisions passes this one on.
 */
public abstract sealed class NoAnswer extends RuntimeException
    permits StoreUnavailable, StoreBroken, StoreClosed {
  private static final long serialVersionUID = 1L;

  /** The missing answer behind a failure of code that asked the store; null if there is none. */
  public static @Nullable NoAnswer behind(Throwable thrown) {
    if (thrown instanceof NoAnswer direct) {
      return direct;
    }
    return thrown.getCause() instanceof NoAnswer cause ? cause : null;
  }

  NoAnswer(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
