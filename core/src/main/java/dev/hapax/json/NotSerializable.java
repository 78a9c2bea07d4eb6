package dev.hapax.json;

import org.jspecify.annotations.Nullable;

/**
 * A value that cannot be written as JSON, or JSON that cannot be read as the type that was asked
 * for.
 */
public final class NotSerializable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotSerializable(String message) {
    this(message, null);
  }

  NotSerializable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
