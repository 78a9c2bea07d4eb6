package dev.hapax.flow;

import java.util.Locale;

/** The state of an effect in the ledger. */
public enum EffectState {
  /** Claimed; an attempt is in flight or will be. */
  PENDING,
  /** Sent, with an unknown outcome; the guard's rule is settling it. */
  DOUBT,
  /** A doubt that only a person can settle. */
  REVIEW,
  /** Done, and its owner is about to undo it: it ends undone, or done again. */
  UNDOING,
  DONE,
  /** Final and not applied. */
  FAILED,
  /** Given up in doubt. */
  ABANDONED,
  /** Done, and then compensated. */
  UNDONE;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** Whether its owner must still settle it; a run does not end before. */
  public boolean isOpen() {
    return compareTo(DONE) < 0;
  }

  public String word() {
    return word;
  }

  public static EffectState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
