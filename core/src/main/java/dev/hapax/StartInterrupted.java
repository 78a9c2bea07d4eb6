package dev.hapax;

/**
 * The thread that started a run was interrupted before it was known whether the run is durable. It
 * may have been accepted, now or in a moment: start it again with the same key and input, which
 * gives that run or a new one, never two. The thread is still marked as interrupted.
 */
public final class StartInterrupted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;

  StartInterrupted(String runId, InterruptedException cause) {
    super(
        "the start of run "
            + runId
            + " was interrupted: it may have been accepted. Start it again with the same key to know.",
        cause);
    this.runId = runId;
  }

  /** The run that may exist. */
  public String runId() {
    return runId;
  }
}
