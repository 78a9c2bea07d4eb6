package dev.hapax.app.reconcile;

import dev.hapax.app.wire.ErrorView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reconciliation as people see it.
 *
 * @param id of its run
 * @param status of its run
 * @param totals so far, if it has not ended
 * @param adopted how many external ids it wrote into the ledger
 * @param settled how many reviews it settled
 * @param items where both sides are not the same
 * @param next the value of {@code ?after=} for more items; null if there are none now
 */
record ReconciliationView(
    String id,
    String flow,
    List<String> steps,
    @Nullable String from,
    @Nullable String to,
    boolean adopt,
    String status,
    @Nullable ErrorView error,
    TotalsView totals,
    long adopted,
    long settled,
    List<ReconciledPage.Finding> items,
    @Nullable String next) {
  /** The numbers of the public contract. */
  record TotalsView(long matches, long missing, long differs, long unknown, long doubled) {
    static TotalsView of(ReconcileState.Totals totals) {
      return new TotalsView(
          totals.matches(), totals.missing(), totals.differs(), totals.unknown(), totals.doubled());
    }
  }
}
