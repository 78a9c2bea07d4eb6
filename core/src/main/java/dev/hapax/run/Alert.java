package dev.hapax.run;

/** The events that can alert people. */
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
