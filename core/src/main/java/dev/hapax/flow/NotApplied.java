package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender that knows that nothing happened: the connection was refused, or the
 * destination answered "too many requests". The effect's retry policy decides about another
 * attempt.
 */
public final class NotApplied extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;

  public NotApplied(String message) {
    this(message, null, null);
  }

  public NotApplied(String message, @Nullable Throwable cause) {
    this(message, null, cause);
  }

  /** Creates an exception with the time that the destination asked us to wait. */
  public NotApplied(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
