package dev.hapax.json;

import org.jspecify.annotations.Nullable;

/** Thrown if a value cannot be written as JSON, or JSON cannot be read as the requested type. */
public sealed class NotSerializable extends RuntimeException permits ValueTooLarge {
  private static final long serialVersionUID = 1L;

  public NotSerializable(String message) {
    this(message, null);
  }

  NotSerializable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The code of a step that fails because of it. */
  public String code() {
    return "not-serializable";
  }
}
