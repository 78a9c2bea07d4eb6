package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.json.Json;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the ledger in the time of a reconciliation, newest first.
 *
 * @param next the last row; null if there are no more
 */
record LedgerPage(List<EffectRecord> rows, @Nullable String next) {

  /** Reads at most so many rows before this one. */
  static LedgerPage of(
      Hapax hapax,
      ReconcileWish wish,
      String effect,
      long before,
      int most,
      @Nullable EffectState state) {
    long first = wish.from() == null ? 0 : IdSource.firstAt(Instant.parse(wish.from()));
    long last = wish.to() == null ? Long.MAX_VALUE : IdSource.firstAt(Instant.parse(wish.to()));
    EffectFilter filter = hapax.effects().name(effect).before(Math.min(last, before)).limit(most);
    List<EffectRecord> found = hapax.effects(state == null ? filter : filter.state(state));
    var rows = new ArrayList<EffectRecord>(found.size());
    boolean isEnd = found.size() < most;
    for (EffectRecord row : found) {
      if (row.number() < first) {
        isEnd = true;
        break;
      }
      if (!row.key().isErased()) { // an erased row has no key to compare
        rows.add(row);
      }
    }
    return new LedgerPage(
        List.copyOf(rows), isEnd ? null : Long.toString(found.getLast().number()));
  }

  /** The rows of one step, in a state that a lookup can say something about. */
  LedgerPage about(ReconcileWish wish, ReconcileWish.Target target) {
    return new LedgerPage(
        rows.stream()
            .filter(row -> row.state() != EffectState.PENDING && row.state() != EffectState.UNDOING)
            .filter(row -> wish.isOf(target, row))
            .toList(),
        next);
  }

  /** Compares each row with what its lookup said. That nothing was found settles nothing. */
  ReconciledPage compared(
      Hapax hapax,
      ReconcileWish.Target target,
      EffectLookup lookup,
      Map<Long, EffectLookup.Answer> answers) {
    var tally = new FindingTotals(hapax.ledger(), target.step());
    for (EffectRecord row : rows) {
      switch (answers.get(row.number())) {
        case EffectLookup.Answer.Present there ->
            tally.both(
                new FindingTotals.There(
                    row.key().key(), there.externalId(), null, Json.write(there.output())),
                row,
                (request, output) -> lookup.compared(there, row, request, output));
        case EffectLookup.Answer.Absent _ -> {
          if (row.state() == EffectState.DONE) {
            tally.missing(row);
          }
        }
        case EffectLookup.Answer.Unasked unasked -> tally.unchecked(row, unasked.why());
        case null -> tally.unchecked(row, "it was not looked up");
      }
    }
    return tally.page(next, "");
  }

  /** The destination has not answered for any of them. */
  ReconciledPage unchecked(Hapax hapax, ReconcileWish.Target target, String why) {
    var tally = new FindingTotals(hapax.ledger(), target.step());
    rows.forEach(row -> tally.unchecked(row, why));
    return tally.page(next, "");
  }
}
