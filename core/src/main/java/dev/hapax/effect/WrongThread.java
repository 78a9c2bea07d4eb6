package dev.hapax.effect;

import org.jspecify.annotations.Nullable;

/**
 * A run was used by a thread that it was not given to, mostly inside a sender: a mistake in the
 * program, of which every further attempt would be another one.
 */
public final class WrongThread extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private static final int DEEPEST = 20;

  public WrongThread(String message) {
    super(message);
  }

  /** The mistake in this or behind it, where code has wrapped it; null if there is none. */
  static @Nullable WrongThread behind(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < DEEPEST && cause != null; i++) {
      if (cause instanceof WrongThread mistake) {
        return mistake;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
