package dev.hapax.run;

import java.util.Locale;

/** What a person says about an effect in review. */
public enum SettleDecision {
  /** It happened: the result they give is its output. */
  HAPPENED,
  /** It did not: it is sent again with the same wire key and a fresh retry budget. */
  NOT_HAPPENED,
  /** Nobody will know: the step fails with {@code effect-abandoned}. */
  ABANDON;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
