package dev.hapax.app.reconcile;

import org.jspecify.annotations.Nullable;

/**
 * How far a reconciliation has come: first the list of a target, then the ledger.
 *
 * @param target counted from 0
 * @param page of the list, from 1 on
 * @param cursor of the next page of the list; null for the first one
 * @param before the ledger's rows below this number come next; null while the list is read
 */
public record ReconcileState(
    int target, int page, @Nullable String cursor, @Nullable Long before, Totals totals) {
  static final ReconcileState FIRST = new ReconcileState(0, 1, null, null, Totals.NONE);

  /**
   * The numbers of the public contract.
   *
   * @param matches at the destination and in the ledger, and the same
   * @param missing in the ledger as done, and not in the list
   * @param differs on both sides, and not the same
   * @param unknown in the list, and not in the ledger
   * @param doubled more than once in the list
   */
  public record Totals(
      long matches,
      long missing,
      long differs,
      long unknown,
      long doubled,
      long adopted,
      long settled) {
    static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0);

    Totals and(Totals more) {
      return new Totals(
          matches + more.matches,
          missing + more.missing,
          differs + more.differs,
          unknown + more.unknown,
          doubled + more.doubled,
          adopted + more.adopted,
          settled + more.settled);
    }
  }

  ReconcileState counting(Totals more) {
    return new ReconcileState(target, page, cursor, before, totals.and(more));
  }

  /** The next page of the list; the ledger if there is none. */
  ReconcileState afterPage(@Nullable String next) {
    return next == null
        ? new ReconcileState(target, page, null, Long.MAX_VALUE, totals)
        : new ReconcileState(target, page + 1, next, null, totals);
  }

  /** The rows of the ledger below this one; the next target if there are none. */
  ReconcileState afterRows(@Nullable Long last) {
    return last == null
        ? new ReconcileState(target + 1, 1, null, null, totals)
        : new ReconcileState(target, page, null, last, totals);
  }
}
