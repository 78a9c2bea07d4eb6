package dev.hapax.app.reconcile;

import org.jspecify.annotations.Nullable;

/**
 * How far a reconciliation has come: first the list of a target, then the ledger. A target that is
 * looked up has no list.
 *
 * @param target counted from 0
 * @param page of the list, from 1 on
 * @param cursor of the next page of the list; null for the first one
 * @param before the ledger's rows below this number come next; null while the list is read
 * @param silent how many pages in a row the destination has not answered; null for none
 * @param listed when the first page of the list was asked for; null before that, or for lookups
 */
public record ReconcileState(
    int target,
    int page,
    @Nullable String cursor,
    @Nullable Long before,
    Totals totals,
    @Nullable Integer silent,
    @Nullable String listed) {

  static ReconcileState first(ReconcileWish wish) {
    return new ReconcileState(0, 1, null, start(wish, 0), Totals.NONE, null, null);
  }

  private static @Nullable Long start(ReconcileWish wish, int target) {
    return wish.byLookup(target) ? Long.valueOf(Long.MAX_VALUE) : null;
  }

  /**
   * The numbers of the public contract.
   *
   * @param matches at the destination and in the ledger, and the same
   * @param missing in the ledger as done, and not at the destination
   * @param differs on both sides, and not the same
   * @param unknown in the list, and not in the ledger
   * @param doubled more than once in the list
   * @param unchecked in the ledger, and the destination could not be asked; null for none
   */
  public record Totals(
      long matches,
      long missing,
      long differs,
      long unknown,
      long doubled,
      long adopted,
      long settled,
      @Nullable Long unchecked) {
    static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, null);

    Totals and(Totals more) {
      long both = notChecked() + more.notChecked();
      return new Totals(
          matches + more.matches,
          missing + more.missing,
          differs + more.differs,
          unknown + more.unknown,
          doubled + more.doubled,
          adopted + more.adopted,
          settled + more.settled,
          both == 0 ? null : Long.valueOf(both));
    }

    long notChecked() {
      return unchecked == null ? 0 : unchecked;
    }

    /** Whether people have to look at it. */
    boolean hasDifferences() {
      return missing + differs + unknown + doubled + notChecked() > 0;
    }
  }

  ReconcileState counting(Totals more) {
    return new ReconcileState(target, page, cursor, before, totals.and(more), silent, listed);
  }

  ReconcileState silent(boolean again) {
    int pages = silent == null ? 1 : silent + 1;
    return new ReconcileState(
        target, page, cursor, before, totals, again ? Integer.valueOf(pages) : null, listed);
  }

  /** The next page of the list; the ledger if there is none. */
  ReconcileState afterPage(ReconciledPage read) {
    String next = read.next();
    String first = listed == null ? read.asked() : listed;
    return next == null
        ? new ReconcileState(target, page, null, Long.MAX_VALUE, totals, silent, first)
        : new ReconcileState(target, page + 1, next, null, totals, silent, first);
  }

  /** The rows of the ledger below this one; the next target if there are none. */
  ReconcileState afterRows(@Nullable Long last, ReconcileWish wish) {
    return last == null
        ? new ReconcileState(target + 1, 1, null, start(wish, target + 1), totals, silent, null)
        : new ReconcileState(target, page, null, last, totals, silent, listed);
  }
}
