package dev.hapax.flow;

import java.util.Locale;

/** The state of a job, in the words of the public contract. */
public enum JobState {
  /** It looks for what it will act on. */
  PLANNING,
  /** It has found everything, and acts when a person applies it. */
  PLANNED,
  RUNNING,
  /** A person stopped it for now. */
  PAUSED,
  DONE,
  /** A person ended it; what was done stays done. */
  CANCELED,
  /** Its items could not be found. It has acted on none. */
  FAILED;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }

  public static JobState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public boolean isEnd() {
    return compareTo(DONE) >= 0;
  }

  /** Whether a worker has something to do. */
  public boolean isAtWork() {
    return this == PLANNING || this == RUNNING;
  }
}
