package dev.hapax.flow;

/** The events that can alert people. */
public enum Alert {
  FAILED("failed"),
  REVIEW("review"),
  MISSED_SCHEDULE("missed schedule"),
  /** A wait for a callback or an approval. */
  WAITING_TOO_LONG("waiting too long"),
  /** A run is kept out of memory, because it seems to have ended processes. */
  QUARANTINED("quarantined");

  private final String word;

  Alert(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
