package dev.hapax.flow;

/** Thrown if a run or the ledger has changed since the plan was made. */
public final class StalePlan extends NotPossible {
  private static final long serialVersionUID = 1L;

  public StalePlan(String message) {
    super(message);
  }
}
