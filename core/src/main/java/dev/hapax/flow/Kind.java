package dev.hapax.flow;

/** What "already handled" means for an effect. */
public enum Kind {
  /** Done once per key. */
  CREATE,
  /**
   * The last content counts: the same content is reused, other content is a new revision and is
   * sent.
   */
  UPDATE,
  /** Told once per key. */
  NOTIFY,
  /** Repeats are wanted, once per run. */
  ADDITIVE
}
