package dev.hapax.flow;

/**
 * Ends the part of a body that needs an answer that is not there yet, while a replay is planned.
 * Like every error that a body does not know, it must not be caught.
 */
public final class AnswerMissing extends Error {
  private static final long serialVersionUID = 1L;

  private final String step;

  public AnswerMissing(String step, String message) {
    super(message, null, false, false);
    this.step = step;
  }

  /** The step whose answer is missing. */
  public String step() {
    return step;
  }
}
