package dev.hapax.testkit.simulation;

/** The kind of runs that a simulation is made of. */
public enum Generator {
  /** Steps, effects and sleeps in sequence: small, so that many faults meet few steps. */
  CORE,
  /** Bodies that mix all features of the engine; each seed draws which. */
  MIXED,
  /** Up to five nodes that share a store; some seeds with sequences, others with features. */
  NODES,
  /**
   * People put things right at any moment: they replay runs, settle reviews, import and adopt
   * effects, and start jobs; on one node or on several.
   */
  RECOVERY
}
