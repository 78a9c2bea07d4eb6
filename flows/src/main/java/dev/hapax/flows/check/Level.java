package dev.hapax.flows.check;

import java.util.Locale;

/** How much a finding matters. */
public enum Level {
  /** The flow cannot be released. */
  ERROR,
  /** It can, and somebody should look. */
  WARNING;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
