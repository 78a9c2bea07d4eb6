package dev.hapax.testkit.simulation;

/** What can go wrong. Each seed has a subset of them, at rates of its own. */
public enum Fault {
  NODE_CRASHES,
  NODE_CLOSES,
  COMMIT_UNKNOWN_NOT_LANDED,
  COMMIT_UNKNOWN_LANDED,
  COMMIT_LANDS_AFTER_ITS_ERROR,
  STORE_FULL,
  STORE_SLOW,
  STORE_BROKEN,
  REQUEST_LOST,
  REQUEST_DELAYED,
  REQUEST_REFUSED,
  REQUEST_REJECTED,
  /** The destination sees it twice; only where somebody removes the duplicate. */
  REQUEST_DOUBLED,
  ANSWER_LOST,
  ANSWER_LATE,
  /** A copy of what an earlier attempt was answered comes before the answer to this one. */
  ANSWER_DOUBLED,
  ERROR_AFTER_APPLYING,
  SENDER_IGNORES_INTERRUPT,
  LOOKUP_FAILS,
  READ_FAILS,
  STEP_FAILS,
  CLOCK_FORWARD,
  CLOCK_BACK,
  CLOCK_DRIFTS,
  MACHINE_SUSPENDED,
  CODE_REGISTERED_LATE
}
