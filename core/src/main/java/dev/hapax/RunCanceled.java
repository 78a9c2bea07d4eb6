package dev.hapax;

/** Thrown if the awaited run was canceled. */
public final class RunCanceled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;

  RunCanceled(String runId) {
    super("run " + runId + " was canceled");
    this.runId = runId;
  }

  public String runId() {
    return runId;
  }
}
