package dev.hapax.run;

import java.util.Locale;

/** Where an effect stands in the ledger. */
public enum EffectState {
  /** Claimed; an attempt is in flight or will be. */
  PENDING,
  /** Sent, and nobody knows whether it happened; the guard's rule is at work. */
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

  /** Whether its owner still has to do something about it; a run does not end before. */
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
