package dev.hapax.effect;

import org.jspecify.annotations.Nullable;

/**
 * A run was used by a thread that it was not given to, mostly inside a sender. This is a mistake in
 * the program, and every further attempt would repeat it.
 */
public final class WrongThread extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private static final int DEEPEST = 20;

  public WrongThread(String message) {
    super(message);
  }

  /** Returns this mistake if it is the exception or one of its causes; null if it is not. */
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
