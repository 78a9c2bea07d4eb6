package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what a destination has: its ids of effects that are done, and that reviews happened.
 * Repeated without harm: an id is noted once, and a review is settled once.
 */
final class Adoption {
  private final Hapax hapax;
  private final ReconcileWish wish;

  Adoption(Hapax hapax, ReconcileWish wish) {
    this.hapax = hapax;
    this.wish = wish;
  }

  ReconcileState.Totals of(ReconciledPage page) {
    long adopted = 0;
    for (ReconciledPage.FoundId found : page.ids()) {
      adopted += adopt(found) ? 1 : 0;
    }
    long settled = 0;
    for (ReconciledPage.FoundReview found : page.reviews()) {
      settled += settle(found) ? 1 : 0;
    }
    return new ReconcileState.Totals(0, 0, 0, 0, 0, adopted, settled, null);
  }

  private boolean adopt(ReconciledPage.FoundId found) {
    try {
      EffectRecord row = hapax.effect(found.effect());
      return row.revision() == found.revision() && hapax.ledger().adopt(row, found.externalId());
    } catch (NotFound gone) {
      return false;
    }
  }

  private boolean settle(ReconciledPage.FoundReview found) {
    String looked = found.output();
    Settlement happened =
        Settlement.happened(
                looked == null ? listed(found) : Json.read(looked, Object.class),
                "the destination's %s has it (reconciliation of flow '%s')"
                    .formatted(looked == null ? "list" : "lookup", wish.flow()),
                wish.by())
            .seen(found.revision(), found.attempts());
    try {
      if (hapax.effect(found.effect()).isReworkQuestion()) {
        return false; // the doubt was settled meanwhile, and its run asks something else
      }
      hapax.settle(
          found.effect(),
          found.externalId() == null ? happened : happened.externalId(found.externalId()));
      return true;
    } catch (NotPossible | NotFound settledMeanwhile) {
      return false;
    }
  }

  private static Map<String, @Nullable Object> listed(ReconciledPage.FoundReview found) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("status", 200);
    output.put("headers", Map.of());
    output.put("body", Json.read(found.item(), Object.class));
    return output;
  }
}
