package dev.hapax.flow;

/** A person's statement about a restored store. The words are public. */
public enum Restoration {
  /**
   * It replaces the store that it was taken from. An effect that a run sends for the first time may
   * have been sent before, so it is in doubt.
   */
  PRODUCTION("production"),

  /** The store that it was taken from is still in use: this one is now a different store. */
  COPY("copy");

  private final String word;

  Restoration(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
