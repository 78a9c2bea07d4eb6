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
        "run %s is in review: an effect was sent, and it is unknown whether it happened. Look it up at its destination, then settle it as happened, not-happened or abandon."
            .formatted(runId));
    this.runId = runId;
  }

  private RunInReview(String runId, String message) {
    super(message);
    this.runId = runId;
  }

  /** For a run that is kept out of memory. */
  static RunInReview quarantined(String runId) {
    return new RunInReview(
        runId,
        "run %s is quarantined: it seems to end the process that loads it. Its history has the evidence. Resume it when the cause is gone, or cancel it."
            .formatted(runId));
  }

  public String runId() {
    return runId;
  }
}
