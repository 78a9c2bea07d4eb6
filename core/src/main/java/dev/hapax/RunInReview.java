package dev.hapax;

/**
 * Thrown if the awaited run waits for a person, because one of its effects may or may not have
 * happened. See {@link Hapax#settle}.
 */
public final class RunInReview extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;

  RunInReview(String runId) {
    super(
        "run %s is in review: an effect was sent and nobody knows whether it happened. Look it up at its destination, then settle it as happened, not-happened or abandon."
            .formatted(runId));
    this.runId = runId;
  }

  public String runId() {
    return runId;
  }
}
