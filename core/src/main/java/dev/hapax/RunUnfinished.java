package dev.hapax;

import java.time.Duration;

/**
 * A run that had not ended when the patience of whoever awaited it had, or when their thread was
 * interrupted. The run goes on.
 */
public final class RunUnfinished extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RunUnfinished(String runId, Duration waited) {
    super("run " + runId + " has not ended after " + waited + "; it goes on");
  }

  RunUnfinished(String runId, InterruptedException cause) {
    super("the wait for run " + runId + " was interrupted; the run goes on", cause);
  }
}
