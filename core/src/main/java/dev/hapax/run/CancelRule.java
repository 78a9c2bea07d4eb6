package dev.hapax.run;

import dev.hapax.flow.RunStatus;

/**
 * Decides how a run may still end after an accepted cancel. Every store calls it inside its
 * transaction, so that a cancel holds from its commit on, also for a node that does not know of it
 * yet.
 */
public final class CancelRule {
  private CancelRule() {}

  /** Whether a run in this state accepts a cancel; a run that compensates does not. */
  public static boolean isAccepted(RunStatus status) {
    return status != RunStatus.COMPENSATING && !status.isEnd();
  }

  /**
   * Whether a run that is to be canceled must not end like this.
   *
   * @param isHeard whether the pass that ends the run knows of the cancel, and so has noted it in
   *     the journal
   */
  public static boolean refusesEnd(RunStatus end, boolean isHeard) {
    return switch (end) {
      case SUCCEEDED, PARTIAL -> true;
      case CANCELED -> false;
      default -> !isHeard;
    };
  }
}
