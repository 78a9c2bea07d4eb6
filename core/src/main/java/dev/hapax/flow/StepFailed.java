package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Thrown into the body if a step failed for good, the same on every replay. A body may catch it and
 * continue in another way; otherwise the run fails with this code.
 */
public final class StepFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final String step;
  private final @Nullable String item;
  private final boolean retryable;

  public StepFailed(
      String code, String message, String step, @Nullable String item, boolean retryable) {
    super(message);
    this.code = code;
    this.step = step;
    this.item = item;
    this.retryable = retryable;
  }

  public String code() {
    return code;
  }

  public String step() {
    return step;
  }

  public @Nullable String item() {
    return item;
  }

  /** Returns whether a retry without a change could succeed. */
  public boolean retryable() {
    return retryable;
  }
}
