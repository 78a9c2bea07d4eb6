package dev.hapax.flow;

import java.util.Locale;

/** The state of a run's wait for an outside system or for people. */
public enum WaitState {
  OPEN,
  DECIDED,
  EXPIRED,
  /** Its run no longer needs an answer: it is to be canceled, or has ended. */
  CLOSED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static WaitState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
