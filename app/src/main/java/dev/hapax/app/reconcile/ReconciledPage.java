package dev.hapax.app.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a page of a list or of the ledger showed; the journal of the reconciliation has it.
 *
 * @param next the cursor of the next page, or the last row of the ledger; null after the last one
 * @param keys hashes of the keys in a page of the list, in base64; empty for the ledger
 * @param findings where both sides are not the same
 * @param ids that are found, and that the ledger lacks
 * @param reviews that are found
 */
record ReconciledPage(
    @Nullable String next,
    ReconcileState.Totals totals,
    String keys,
    List<Finding> findings,
    List<FoundId> ids,
    List<FoundReview> reviews) {
  ReconciledPage {
    findings = List.copyOf(findings);
    ids = List.copyOf(ids);
    reviews = List.copyOf(reviews);
  }

  /**
   * A difference, for people.
   *
   * @param result {@code missing}, {@code differs}, {@code unknown} or {@code doubled}
   * @param effect the id of the row in the ledger
   * @param fields in which both sides differ
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Finding(
      String result,
      String step,
      @Nullable String key,
      @Nullable String effect,
      @Nullable String externalId,
      @Nullable List<String> fields,
      @Nullable String problem) {}

  /** The destination's id of an effect that is done. */
  record FoundId(String effect, int revision, String externalId) {}

  /**
   * An effect in review that the destination has.
   *
   * @param item the entry of the list, as JSON text
   */
  record FoundReview(
      String effect, int revision, int attempts, @Nullable String externalId, String item) {}
}
