package dev.hapax.flow;

import java.util.Locale;

/** A person's decision about an effect in review. */
public enum SettleDecision {
  /** It happened: the given result is its output. */
  HAPPENED,
  /** It did not: it is sent again with the same wire key and a fresh retry budget. */
  NOT_HAPPENED,
  /** The outcome stays unknown: the step fails with {@code effect-abandoned}. */
  ABANDON;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
