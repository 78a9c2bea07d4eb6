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

  /** What a start hears: it is certain that the run was not accepted. */
  public static StoreFull refusing() {
    return new StoreFull(
        "the store is full: no run is accepted until there is space. The key is still free.", null);
  }
}
