package dev.hapax.app.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.EffectRecord;
import dev.hapax.json.Text;
import java.time.Instant;
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
 * @param asked when the page of the list was asked for; null for the ledger
 */
record ReconciledPage(
    @Nullable String next,
    ReconcileState.Totals totals,
    String keys,
    List<Finding> findings,
    List<FoundId> ids,
    List<FoundReview> reviews,
    @Nullable String asked) {
  ReconciledPage {
    findings = List.copyOf(findings);
    ids = List.copyOf(ids);
    reviews = List.copyOf(reviews);
  }

  /** A page of the list, with the time at which it was asked for. */
  ReconciledPage askedAt(Instant time) {
    return new ReconciledPage(next, totals, keys, findings, ids, reviews, time.toString());
  }

  /**
   * A difference, for people.
   *
   * @param result {@code missing}, {@code differs}, {@code unknown}, {@code doubled} or {@code
   *     unchecked}
   * @param effect the id of the row in the ledger
   * @param revision of the row, if it is missing
   * @param fields in which both sides differ
   * @param repair how it can be sent again; only people see it, the journal has it elsewhere
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Finding(
      String result,
      String step,
      @Nullable String key,
      @Nullable String effect,
      @Nullable Integer revision,
      @Nullable String externalId,
      @Nullable List<String> fields,
      @Nullable String problem,
      @Nullable RepairPlan repair) {
    /** No key of an effect is longer; what a destination says may be. */
    private static final int LONGEST = 1024;

    private static final int LONGEST_PROBLEM = 500;

    static Finding of(
        String result,
        String step,
        @Nullable String key,
        @Nullable EffectRecord row,
        @Nullable String externalId,
        @Nullable List<String> fields,
        @Nullable String problem) {
      return new Finding(
          result,
          step,
          cut(key, LONGEST),
          row == null ? null : row.id(),
          row == null || !result.equals("missing") ? null : Integer.valueOf(row.revision()),
          cut(externalId, LONGEST),
          fields,
          cut(problem, LONGEST_PROBLEM),
          null);
    }

    private static @Nullable String cut(@Nullable String text, int most) {
      return text == null ? null : Text.storable(Text.cut(text, most));
    }

    Finding with(@Nullable RepairPlan plan) {
      return new Finding(result, step, key, effect, revision, externalId, fields, problem, plan);
    }
  }

  /** The destination's id of an effect that is done. */
  record FoundId(String effect, int revision, String externalId) {}

  /**
   * An effect in review that the destination has.
   *
   * @param item the entry of the list, as JSON text
   * @param output what a lookup found, as JSON text; null from a list
   */
  record FoundReview(
      String effect,
      int revision,
      int attempts,
      @Nullable String externalId,
      String item,
      @Nullable String output) {}
}
