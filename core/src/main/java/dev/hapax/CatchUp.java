package dev.hapax;

/** What happens to nominal instants that passed while no process was there to start their runs. */
public enum CatchUp {
  /** They are skipped. */
  NONE,
  /** The latest of them gets its run, late; the others are skipped. */
  LATEST,
  /** Each gets its run, late; if there are more than 1,000, only the latest 1,000. */
  ALL
}
