package dev.hapax.flow;

import java.util.Locale;

/** What happens to an instant of a schedule while an earlier run of the schedule is still open. */
public enum Overlap {
  /** Its run begins beside the earlier one. */
  ALLOW,
  /** It starts nothing; the schedule counts it as skipped. */
  SKIP,
  /** It waits, in the order of the instants, and its run begins when the earlier one has ended. */
  QUEUE,
  /** The earlier run is asked to cancel, and the new one begins in the same commit. */
  CANCEL_RUNNING;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  public String word() {
    return word;
  }
}
