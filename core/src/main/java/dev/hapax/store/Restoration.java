package dev.hapax.store;

/** What a person says that a restored store is. The words are public. */
public enum Restoration {
  /**
   * It replaces the store that it was taken from. What runs send for the first time may have been
   * sent before, so it is in doubt.
   */
  PRODUCTION("production"),

  /** The store that it was taken from lives on: this one is another store from now on. */
  COPY("copy");

  private final String word;

  Restoration(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
