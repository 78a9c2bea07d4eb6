package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender whose request was refused for good: nothing happened, and the same request
 * never will.
 */
public final class Rejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  /** With the destination's own code for it, for example {@code card-declined}. */
  public Rejected(String code, String message) {
    this(code, message, null);
  }

  public Rejected(String code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
