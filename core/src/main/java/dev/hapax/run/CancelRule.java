package dev.hapax.run;

/**
 * What an accepted cancel still lets a run come to. Every store asks it inside its transaction, so
 * that a cancel holds from its commit on, also for a node that has not heard of it yet.
 */
public final class CancelRule {
  private CancelRule() {}

  /** Whether a run in this state takes a cancel: one that undoes its work goes on with that. */
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
