package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * The store could not answer a read: its database is away, overloaded, or has ended the session.
 * Nothing is known and nothing was written; the same question may be answered a moment later. It is
 * never an answer, so no decision may depend on it.
 */
public final class StoreUnavailable extends NoAnswer {
  private static final long serialVersionUID = 1L;

  public StoreUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
