package dev.hapax.flow;

/** What an unguarded effect does in doubt, said openly by the flow. */
public enum OnDoubt {
  /** A person decides. */
  REVIEW,
  /** It is sent again, and may happen twice. */
  REPEAT,
  /** It is given up: abandoned, with a null result. */
  SKIP
}
