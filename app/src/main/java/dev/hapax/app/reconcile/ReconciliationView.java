package dev.hapax.app.reconcile;

import dev.hapax.app.wire.ErrorView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reconciliation as people see it. It reads as a job, too: {@code kind}, {@code state}, {@code
 * done} and {@code failed} mean what they mean in {@code /api/jobs}.
 *
 * @param id of its run
 * @param state of the job: running, done, failed or canceled
 * @param done how many effects and listed objects were compared
 * @param failed how many could not be checked
 * @param lookedUp those of the steps whose effects are looked up one by one
 * @param rate the most lookups, or pages of a list, in a second
 * @param by who asked for it
 * @param schedule that started it
 * @param status of its run
 * @param totals so far, if it has not ended
 * @param adopted how many external ids it wrote into the ledger
 * @param settled how many reviews it settled
 * @param repairs what of the missing effects can be sent again; null if it does not plan that
 * @param note what a reader must know
 * @param items where both sides are not the same
 * @param next the value of {@code ?after=} for more items; null if there are none now
 */
record ReconciliationView(
    String id,
    String kind,
    String state,
    String flow,
    List<String> steps,
    List<String> lookedUp,
    @Nullable String from,
    @Nullable String to,
    int rate,
    boolean adopt,
    boolean repair,
    String by,
    @Nullable String schedule,
    String status,
    @Nullable ErrorView error,
    TotalsView totals,
    long done,
    long failed,
    long adopted,
    long settled,
    @Nullable RepairCounts repairs,
    @Nullable String note,
    List<ReconciledPage.Finding> items,
    @Nullable String next) {
  /** The numbers of the public contract. */
  record TotalsView(
      long matches, long missing, long differs, long unknown, long doubled, long unchecked) {
    static TotalsView of(ReconcileState.Totals totals) {
      return new TotalsView(
          totals.matches(),
          totals.missing(),
          totals.differs(),
          totals.unknown(),
          totals.doubled(),
          totals.notChecked());
    }
  }

  /**
   * How many of the missing effects were looked up once more.
   *
   * @param planned not found again, and could be sent
   * @param impossible cannot be sent; each item says why
   */
  record RepairCounts(long planned, long impossible) {}
}
