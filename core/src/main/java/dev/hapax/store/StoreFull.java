package dev.hapax.store;

import org.jspecify.annotations.Nullable;

/**
 * There is no space for a commit. Starts are refused until there is; what was accepted waits and is
 * not lost.
 */
public final class StoreFull extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreFull(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
