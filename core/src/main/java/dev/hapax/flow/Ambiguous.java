package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a sender that does not know whether its effect happened. Any other exception means the
 * same; this one adds details.
 */
public final class Ambiguous extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;
  private final boolean repeatTells;

  /**
   * Creates an exception with the details that the sender knows.
   *
   * @param retryAfter how long the destination asked us to wait; null if it did not ask
   * @param repeatTells false if sending again under the same key would not settle the doubt, or
   *     would cause the effect twice: then a lookup or a person settles it
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
