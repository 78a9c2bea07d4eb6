package dev.hapax.flow;

/** Thrown if the action is not possible in this state. The message says what to do instead. */
public sealed class NotPossible extends RuntimeException permits StaleReview, StalePlan {
  private static final long serialVersionUID = 1L;

  public NotPossible(String message) {
    super(message);
  }
}
