package dev.hapax.flow;

/** Thrown if the review has changed since the person looked at it. */
public final class StaleReview extends NotPossible {
  private static final long serialVersionUID = 1L;

  public StaleReview(String message) {
    super(message);
  }
}
