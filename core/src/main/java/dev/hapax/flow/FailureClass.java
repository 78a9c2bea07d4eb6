package dev.hapax.flow;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a run that did not succeed needs, in the words of the public contract. */
public enum FailureClass {
  /** It failed, and another try without a change could succeed. */
  RETRYABLE,
  /** It failed, and would fail again until a person changes something. */
  PERSON,
  /** It has not ended: it continues when a person has decided. */
  REVIEW;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }

  /**
   * Returns the class of a run; null if nothing failed, or if nothing can be retried any more.
   *
   * @param isInReview whether it waits for a person to settle one of its effects
   */
  public static @Nullable FailureClass of(Run run, boolean isInReview) {
    if (isInReview || run.status() == RunStatus.REVIEW) {
      return REVIEW;
    }
    Failure error = run.error();
    if (!run.status().canBeRetried() || error == null) {
      return null;
    }
    return error.retryable() ? RETRYABLE : PERSON;
  }
}
