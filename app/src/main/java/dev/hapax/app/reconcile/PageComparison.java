package dev.hapax.app.reconcile;

import dev.hapax.LedgerBook;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Names;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares a page of a destination's list with the ledger. Only reads. Used once. */
final class PageComparison {
  private final LedgerBook ledger;
  private final DestinationList list;
  private final ReconcileWish.Target target;
  private final SeenKeys seen;
  private final Set<Long> here = new HashSet<>();
  private final List<ReconciledPage.Finding> findings = new ArrayList<>();
  private final List<ReconciledPage.FoundId> ids = new ArrayList<>();
  private final List<ReconciledPage.FoundReview> reviews = new ArrayList<>();
  private long matches;
  private long differs;
  private long unknown;
  private long doubled;

  PageComparison(
      LedgerBook ledger, DestinationList list, ReconcileWish.Target target, SeenKeys seen) {
    this.ledger = ledger;
    this.list = list;
    this.target = target;
    this.seen = seen;
  }

  ReconciledPage of(DestinationList.Page page) {
    page.entries().forEach(this::compare);
    return new ReconciledPage(
        page.next(),
        new ReconcileState.Totals(matches, 0, differs, unknown, doubled, 0, 0),
        SeenKeys.text(List.copyOf(here)),
        findings,
        ids,
        reviews);
  }

  private void compare(DestinationList.Entry entry) {
    String key = entry.key();
    if (key == null || !isKey(key)) {
      unknown++;
      add("unknown", entry, null, null, "the entry has no key of an effect");
      return;
    }
    long hash = SeenKeys.hash(key);
    if (seen.has(hash) || !here.add(hash)) {
      doubled++;
      add("doubled", entry, ledger.find(target.effect(), key), null, null);
      return;
    }
    EffectRecord row = ledger.find(target.effect(), key);
    if (row == null) {
      unknown++;
      add("unknown", entry, null, null, null);
    } else if (row.state() == EffectState.DONE) {
      compare(entry, row);
    } else {
      differs++;
      add("differs", entry, row, null, "the ledger has it as " + row.state().word());
      if (row.state() == EffectState.REVIEW) {
        reviews.add(
            new ReconciledPage.FoundReview(
                row.id(),
                row.revision(),
                row.attempts(),
                entry.externalId(),
                entry.item() == null ? "null" : Json.write(entry.item())));
      }
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

  private void compare(DestinationList.Entry entry, EffectRecord row) {
    List<String> different =
        new ArrayList<>(list.differences(entry, row, value(row.request()), value(row.result())));
    String found = entry.externalId();
    if (found != null && row.externalId() != null && !found.equals(row.externalId())) {
      different.addFirst("externalId");
    }
    if (found != null && row.externalId() == null) {
      ids.add(new ReconciledPage.FoundId(row.id(), row.revision(), found));
    }
    if (different.isEmpty()) {
      matches++;
    } else {
      differs++;
      add("differs", entry, row, different, null);
    }
  }

  private @Nullable Object value(@Nullable String stored) {
    String json = ledger.json(stored);
    return json == null ? null : Json.read(json, Object.class);
  }

  private void add(
      String result,
      DestinationList.Entry entry,
      @Nullable EffectRecord row,
      @Nullable List<String> fields,
      @Nullable String problem) {
    findings.add(
        new ReconciledPage.Finding(
            result,
            target.step(),
            entry.key(),
            row == null ? null : row.id(),
            entry.externalId(),
            fields,
            problem));
  }
}
