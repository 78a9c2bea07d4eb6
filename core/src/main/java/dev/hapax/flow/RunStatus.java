package dev.hapax.flow;

import java.util.Locale;

/** The status of a run, in the words of the public contract. */
public enum RunStatus {
  QUEUED,
  RUNNING,
  WAITING,
  REVIEW,
  CANCELING,
  COMPENSATING,
  SUCCEEDED,
  PARTIAL,
  FAILED,
  COMPENSATED,
  CANCELED;

  private final String word = name().toLowerCase(Locale.ROOT);

  public boolean isEnd() {
    return compareTo(SUCCEEDED) >= 0;
  }

  /** Whether the run can be retried from what failed. */
  public boolean canBeRetried() {
    return this == FAILED || this == PARTIAL;
  }

  public String word() {
    return word;
  }

  public static RunStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
