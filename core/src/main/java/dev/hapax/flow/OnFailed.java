package dev.hapax.flow;

/** What a call does if the run with its child's key has failed already. */
public enum OnFailed {
  /** The step fails with the code of that run. */
  FAIL,
  /**
   * That run is retried once, no matter who started it, and the step waits for its end. Its input
   * stays as it is.
   */
  RETRY
}
