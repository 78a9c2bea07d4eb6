package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * A file or database that cannot be opened as a store: foreign, newer, damaged, or in use. Nothing
 * was changed.
 */
public final class StoreRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreRefused(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
