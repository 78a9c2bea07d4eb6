package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender if the destination refused its request for good. Nothing happened, and the
 * same request would be refused again.
 */
public final class Rejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  /** Creates an exception with the destination's own code, for example {@code card-declined}. */
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
