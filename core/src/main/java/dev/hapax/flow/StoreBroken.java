package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * The store can no longer be trusted: an I/O error at commit, damage. The engine closes; open the
 * store again to read back what is durable and go on.
 */
public final class StoreBroken extends NoAnswer {
  private static final long serialVersionUID = 1L;

  public StoreBroken(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
