package dev.hapax.app.reconcile;

import dev.hapax.LedgerBook;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Names;
import dev.hapax.flows.step.FieldComparison;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what a page of a list or of lookups shows. Used once, by one thread. */
final class FindingTotals {
  private final LedgerBook ledger;
  private final String step;
  private final List<ReconciledPage.Finding> findings = new ArrayList<>();
  private final List<ReconciledPage.FoundId> ids = new ArrayList<>();
  private final List<ReconciledPage.FoundReview> reviews = new ArrayList<>();
  private long matches;
  private long missing;
  private long differs;
  private long unknown;
  private long doubled;
  private long unchecked;

  FindingTotals(LedgerBook ledger, String step) {
    this.ledger = ledger;
    this.step = step;
  }

  /**
   * What a destination has.
   *
   * @param item as JSON text
   * @param output of a lookup, as JSON text; null from a list
   */
  record There(
      String key, @Nullable String externalId, @Nullable String item, @Nullable String output) {}

  /** Compares the fields of both sides. */
  @FunctionalInterface
  interface Fields {
    FieldComparison compared(@Nullable Object request, @Nullable Object output);
  }

  void missing(EffectRecord row) {
    missing++;
    add("missing", row.key().key(), row, row.externalId(), null, null);
  }

  void unknown(@Nullable String key, @Nullable String externalId, @Nullable String problem) {
    unknown++;
    add("unknown", key, null, externalId, null, problem);
  }

  void doubled(String key, @Nullable EffectRecord row, @Nullable String externalId) {
    doubled++;
    add("doubled", key, row, externalId, null, null);
  }

  void unchecked(EffectRecord row, String why) {
    unchecked++;
    add("unchecked", row.key().key(), row, row.externalId(), null, why);
  }

  /** The destination has what the row says, or something else. */
  void both(There there, EffectRecord row, Fields fields) {
    if (row.state() == EffectState.DONE) {
      compare(there, row, fields);
      return;
    }
    String state = "the ledger has it as " + row.state().word();
    if (row.state() != EffectState.REVIEW) {
      differs(there, row, null, state);
      return;
    }
    FieldComparison compared = fields.compared(value(row.request()), value(row.result()));
    String unproven = ReviewProof.missing(row, compared);
    List<String> different = compared.different();
    differs(
        there,
        row,
        different.isEmpty() ? null : different,
        unproven == null ? state : state + ", and only a person can settle it: " + unproven);
    if (unproven == null) {
      String id = isStorable(there.externalId()) ? there.externalId() : null;
      reviews.add(
          new ReconciledPage.FoundReview(
              row.id(),
              row.revision(),
              row.attempts(),
              id,
              there.item() == null ? "null" : there.item(),
              there.output()));
    }
  }

  private void compare(There there, EffectRecord row, Fields fields) {
    var different =
        new ArrayList<>(fields.compared(value(row.request()), value(row.result())).different());
    String found = there.externalId();
    if (found != null && row.externalId() != null && !found.equals(row.externalId())) {
      different.addFirst("externalId");
    }
    if (found != null && row.externalId() == null) {
      if (isStorable(found)) {
        ids.add(new ReconciledPage.FoundId(row.id(), row.revision(), found));
      } else {
        differs(there, row, different, "its external id there cannot be stored: it is too long");
        return;
      }
    }
    if (different.isEmpty()) {
      matches++;
    } else {
      differs(there, row, different, null);
    }
  }

  private void differs(
      There there, EffectRecord row, @Nullable List<String> fields, @Nullable String problem) {
    differs++;
    add("differs", there.key(), row, there.externalId(), fields, problem);
  }

  private static boolean isStorable(@Nullable String id) {
    if (id == null) {
      return false;
    }
    try {
      Names.text("externalId", id);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private @Nullable Object value(@Nullable String stored) {
    String json = ledger.json(stored);
    return json == null ? null : Json.read(json, Object.class);
  }

  private void add(
      String result,
      @Nullable String key,
      @Nullable EffectRecord row,
      @Nullable String externalId,
      @Nullable List<String> fields,
      @Nullable String problem) {
    findings.add(ReconciledPage.Finding.of(result, step, key, row, externalId, fields, problem));
  }

  /**
   * Returns the page.
   *
   * @param keys hashes of the keys in a page of a list; empty for the ledger
   */
  ReconciledPage page(@Nullable String next, String keys) {
    return new ReconciledPage(
        next,
        new ReconcileState.Totals(
            matches,
            missing,
            differs,
            unknown,
            doubled,
            0,
            0,
            unchecked == 0 ? null : Long.valueOf(unchecked)),
        keys,
        findings,
        ids,
        reviews,
        null);
  }
}
