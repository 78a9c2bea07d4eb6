package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender if the destination refused its request for good. Nothing happened, and the
 * same request would be refused again.
 */
public final class Rejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final boolean isStored;

  /** Creates an exception with the destination's own code, for example {@code card-declined}. */
  public Rejected(String code, String message) {
    this(code, message, null);
  }

  public Rejected(String code, String message, @Nullable Throwable cause) {
    this(code, message, cause, false);
  }

  private Rejected(String code, String message, @Nullable Throwable cause, boolean isStored) {
    super(message, cause);
    this.code = code;
    this.isStored = isStored;
  }

  /**
   * A refusal that the destination stored under the idempotency key and now repeats: it is the
   * answer to every request with this key, so it also settles the doubt about an earlier one. Use
   * it only if the answer proves this, for example by a header that marks repeated answers. Any
   * other refusal says nothing about earlier requests.
   */
  public static Rejected stored(String code, String message) {
    return new Rejected(code, message, null, true);
  }

  public String code() {
    return code;
  }

  /** Whether it is the destination's stored answer to all requests with this key. */
  public boolean isStored() {
    return isStored;
  }
}
