package dev.hapax.app.reconcile;

import dev.hapax.LedgerBook;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Names;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compares a page of a destination's list with the ledger. Only reads. Used once. */
final class PageComparison {
  private final LedgerBook ledger;
  private final DestinationList list;
  private final ReconcileWish.Target target;
  private final SeenKeys seen;
  private final Set<Long> here = new HashSet<>();
  private final FindingTotals tally;

  PageComparison(
      LedgerBook ledger, DestinationList list, ReconcileWish.Target target, SeenKeys seen) {
    this.ledger = ledger;
    this.list = list;
    this.target = target;
    this.seen = seen;
    this.tally = new FindingTotals(ledger, target.step());
  }

  ReconciledPage of(DestinationList.Page page) {
    page.entries().forEach(this::compare);
    return tally.page(page.next(), SeenKeys.text(List.copyOf(here)));
  }

  private void compare(DestinationList.Entry entry) {
    String key = entry.key();
    if (key == null || !isKey(key)) {
      tally.unknown(key, entry.externalId(), "the entry has no key of an effect");
      return;
    }
    long hash = SeenKeys.hash(key);
    EffectRecord row = ledger.find(target.effect(), key);
    if (seen.has(hash) || !here.add(hash)) {
      tally.doubled(key, row, entry.externalId());
    } else if (row == null) {
      tally.unknown(key, entry.externalId(), null);
    } else if (row.state() != EffectState.PENDING && row.state() != EffectState.UNDOING) {
      // The others are under way: their answer is about to come.
      tally.both(
          new FindingTotals.There(
              key,
              entry.externalId(),
              entry.item() == null ? null : Json.write(entry.item()),
              null),
          row,
          (request, output) -> list.compared(entry, row, request, output));
    }
  }

  private static boolean isKey(String key) {
    try {
      Names.key("an effect", key);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
