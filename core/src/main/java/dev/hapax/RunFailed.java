package dev.hapax;

import dev.hapax.flow.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the awaited run failed. The run keeps its key; {@link Hapax#retry} retries the failed
 * steps.
 */
public final class RunFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;
  private final String code;
  private final boolean retryable;
  private final @Nullable String step;

  RunFailed(String runId, Failure failure) {
    super("run " + runId + " failed with " + failure.code() + ": " + failure.message());
    this.runId = runId;
    this.code = failure.code();
    this.retryable = failure.retryable();
    this.step = failure.step();
  }

  public String runId() {
    return runId;
  }

  public String code() {
    return code;
  }

  /** Returns whether a retry without a change could succeed. */
  public boolean retryable() {
    return retryable;
  }

  public @Nullable String step() {
    return step;
  }
}
