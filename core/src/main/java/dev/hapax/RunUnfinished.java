package dev.hapax;

import java.time.Duration;

/**
 * Thrown if the run did not end within the caller's time limit, or if the caller's thread was
 * interrupted. The run continues.
 */
public final class RunUnfinished extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RunUnfinished(String runId, Duration waited) {
    super("run " + runId + " has not ended after " + waited + "; it continues");
  }

  RunUnfinished(String runId, InterruptedException cause) {
    super("the wait for run " + runId + " was interrupted; the run continues", cause);
  }
}
