package dev.hapax.flow;

/** Defines what "already handled" means for an effect. */
public enum Kind {
  /** Done once per key. */
  CREATE,
  /**
   * The last content counts. The same content is reused; other content is a new revision and is
   * sent.
   */
  UPDATE,
  /** The receiver is notified once per key. */
  NOTIFY,
  /** Done once per key in each run: repeats by other runs are intended. */
  ADDITIVE
}
