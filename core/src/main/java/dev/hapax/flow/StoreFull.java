package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * There is no space for a commit. Starts are refused until there is; accepted groups wait and are
 * not lost.
 */
public final class StoreFull extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreFull(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The exception for a start: the run was certainly not accepted. */
  public static StoreFull refusing() {
    return new StoreFull(
        "the store is full: no run is accepted until there is space. The key is still free.", null);
  }
}
