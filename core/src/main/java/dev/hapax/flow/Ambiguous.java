package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender that does not know whether it happened, as any other exception says too, and
 * that knows more about it.
 */
public final class Ambiguous extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;
  private final boolean repeatTells;

  /**
   * Nobody knows.
   *
   * @param retryAfter how long the destination asked us to wait; null if it did not
   * @param repeatTells false if sending again under the same key would not tell, or would do it
   *     twice: then a lookup tells, or a person
   */
  public Ambiguous(String message, @Nullable Duration retryAfter, boolean repeatTells) {
    super(message);
    this.retryAfter = retryAfter;
    this.repeatTells = repeatTells;
  }

  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  public boolean repeatTells() {
    return repeatTells;
  }
}
