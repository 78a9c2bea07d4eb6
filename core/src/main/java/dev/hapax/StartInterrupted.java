package dev.hapax;

/**
 * Thrown if the thread that started a run was interrupted before it knew whether the run is
 * durable. The run may have been accepted, or may still be. Start it again with the same key and
 * input: this gives that run or a new one, never two. The thread stays interrupted.
 */
public final class StartInterrupted extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;

  StartInterrupted(String runId, InterruptedException cause) {
    super(
        "the start of run "
            + runId
            + " was interrupted: the run may have been accepted. Start it again with the same key to find out.",
        cause);
    this.runId = runId;
  }

  /** Returns the id of the run that may exist. */
  public String runId() {
    return runId;
  }
}
