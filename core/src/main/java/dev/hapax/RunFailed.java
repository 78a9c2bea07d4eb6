package dev.hapax;

import dev.hapax.run.Failure;
import org.jspecify.annotations.Nullable;

/** A run that ended as failed. It keeps its key; {@link Hapax#retry} goes on with what failed. */
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

  /** Whether another try without a change could succeed. */
  public boolean retryable() {
    return retryable;
  }

  public @Nullable String step() {
    return step;
  }
}
