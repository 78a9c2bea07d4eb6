package dev.hapax.flow;

import java.util.Locale;

/** What came of one item of a job, in the words of the public contract. */
public enum JobItemState {
  OPEN,
  /** It is being acted on. */
  DOING,
  DONE,
  FAILED,
  /** Nothing was done, because the item is no longer as it was; the problem says why. */
  SKIPPED;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }

  public static JobItemState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public boolean isEnd() {
    return compareTo(DONE) >= 0;
  }
}
