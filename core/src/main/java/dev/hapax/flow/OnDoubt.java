package dev.hapax.flow;

/** What happens to an unguarded effect in doubt, as the flow declares. */
public enum OnDoubt {
  /** A person decides. */
  REVIEW,
  /** The effect is sent again, and may happen twice. */
  REPEAT,
  /** The effect is abandoned, with a null result. */
  SKIP
}
