package dev.hapax.trial.proof;

/** A flow cannot be proven, for a reason that says what to do. */
final class NotProvable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotProvable(String message) {
    super(message);
  }
}
