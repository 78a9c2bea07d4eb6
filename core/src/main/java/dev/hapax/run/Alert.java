package dev.hapax.run;

/** What people want to be told of. */
public enum Alert {
  FAILED("failed"),
  REVIEW("review"),
  MISSED_SCHEDULE("missed schedule"),
  /** A wait for a callback or an approval. */
  WAITING_TOO_LONG("waiting too long");

  private final String word;

  Alert(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
