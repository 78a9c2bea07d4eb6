package dev.hapax;

/** Thrown if the output of the awaited run was erased for a person whom the run was about. */
public final class RunErased extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String runId;

  RunErased(String runId) {
    super(
        "the values of run %s were erased for a person: it has ended, and its output is gone"
            .formatted(runId));
    this.runId = runId;
  }

  public String runId() {
    return runId;
  }
}
