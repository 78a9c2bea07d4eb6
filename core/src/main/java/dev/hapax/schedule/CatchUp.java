package dev.hapax.schedule;

/** What becomes of nominal instants that passed while nobody was there to start their runs. */
public enum CatchUp {
  /** They are skipped. */
  NONE,
  /** The latest of them gets its run, late; the others are skipped. */
  LATEST,
  /** Each gets its run, late; of more than 1,000 only the latest. */
  ALL
}
