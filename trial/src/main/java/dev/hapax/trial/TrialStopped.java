package dev.hapax.trial;

/** A trial that would not come to an end, or cannot go on, with the reason. */
public final class TrialStopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TrialStopped(String message) {
    super(message);
  }
}
