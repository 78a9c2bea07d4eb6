package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * A step that failed for good, as the body sees it, the same on every replay. A body may catch it
 * and go another way; one that does not fails the run with this code.
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

  /** Whether another try without a change could succeed. */
  public boolean retryable() {
    return retryable;
  }
}
