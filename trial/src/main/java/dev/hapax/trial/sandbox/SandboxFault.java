package dev.hapax.trial.sandbox;

import java.util.Locale;

/** What goes wrong on the way of one request. The words are those of case files. */
public enum SandboxFault {
  NONE,
  /** It never arrives, and its sender cannot know that. */
  LOST,
  /** It arrives and is done; its answer is lost. */
  APPLIED_THEN_LOST,
  /** Its sender gives up waiting, and then it arrives. */
  LATE,
  /** It arrives twice. */
  DUPLICATE,
  /** There is no connection, so that its sender knows that nothing left. */
  REFUSED;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
