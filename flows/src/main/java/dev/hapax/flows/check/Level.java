package dev.hapax.flows.check;

import java.util.Locale;

/** The severity of a finding. */
public enum Level {
  /** The flow cannot be released. */
  ERROR,
  /** The flow can be released, but a person should look. */
  WARNING;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
