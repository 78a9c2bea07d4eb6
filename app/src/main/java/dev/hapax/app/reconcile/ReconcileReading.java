package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.app.wire.ErrorView;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal of a reconciliation: the totals of all pages, and a page of items. Used once.
 */
final class ReconcileReading {
  private static final int HISTORY = 200;

  private final Hapax hapax;
  private final Run run;
  private final @Nullable String result;
  private final long after;
  private final int limit;
  private ReconcileState.Totals totals = ReconcileState.Totals.NONE;
  private long repairable;
  private long notRepairable;
  private final List<ReconciledPage.Finding> items = new ArrayList<>();
  private final Map<String, RepairPlan> plans = new HashMap<>();
  private @Nullable String next;
  private long lastShown;

  /**
   * @param result only items with this one; null for all
   * @param after the entry of the journal that the page before ended with
   */
  ReconcileReading(Hapax hapax, Run run, @Nullable String result, long after, int limit) {
    this.hapax = hapax;
    this.run = run;
    this.result = result;
    this.after = after;
    this.limit = limit;
  }

  static ReconcileWish wish(Run run) {
    return Json.read(run.input(), ReconcileWish.class);
  }

  ReconciliationView view() {
    read();
    ReconcileWish wish = wish(run);
    boolean byLookup = wish.targets().stream().anyMatch(ReconcileWish.Target::byLookup);
    return new ReconciliationView(
        run.id().toString(),
        wish.flow(),
        wish.targets().stream().map(ReconcileWish.Target::step).toList(),
        wish.targets().stream()
            .filter(ReconcileWish.Target::byLookup)
            .map(ReconcileWish.Target::step)
            .toList(),
        wish.from(),
        wish.to(),
        wish.rate() == null ? CallPace.USUAL : wish.rate(),
        wish.adopt(),
        wish.repairs(),
        wish.by(),
        wish.schedule(),
        run.status().word(),
        run.error() == null ? null : ErrorView.of(run.error()),
        ReconciliationView.TotalsView.of(totals),
        totals.adopted(),
        totals.settled(),
        wish.repairs() ? new ReconciliationView.RepairCounts(repairable, notRepairable) : null,
        byLookup
            ? "A lookup finds one effect by its key. It cannot show what the ledger does not have (unknown), nor what is there twice (doubled)."
            : null,
        items.stream().map(this::planned).toList(),
        next);
  }

  private ReconciledPage.Finding planned(ReconciledPage.Finding finding) {
    RepairPlan plan = finding.effect() == null ? null : plans.get(finding.effect());
    return plan == null || !finding.result().equals("missing") ? finding : finding.with(plan);
  }

  private void read() {
    long from = 0;
    HistoryPage page;
    do {
      page = hapax.history(run.id().toString(), from, HISTORY);
      page.entries().forEach(this::entry);
      from = page.entries().isEmpty() ? from : page.entries().getLast().seq();
    } while (page.hasMore());
  }

  private void entry(HistoryEntry entry) {
    String recorded = ReconcileFlow.pageIn(hapax, entry);
    if (recorded != null) {
      ReconciledPage page = Json.read(recorded, ReconciledPage.class);
      totals = totals.and(page.totals());
      show(entry.seq(), page.findings());
    } else if ("step-done".equals(entry.type()) && "adopt".equals(entry.step())) {
      totals =
          totals.and(
              Json.read(Objects.requireNonNull(entry.output()), ReconcileState.Totals.class));
    } else {
      MissingCheck.plansIn(hapax, entry).forEach(this::plan);
    }
  }

  /** The plans come after all items. */
  private void plan(RepairPlan plan) {
    repairable += plan.possible() ? 1 : 0;
    notRepairable += plan.possible() ? 0 : 1;
    if (items.stream().anyMatch(item -> plan.effect().equals(item.effect()))) {
      plans.put(plan.effect(), plan);
    }
  }

  /** All items of a journal entry are on one page. */
  private void show(long seq, List<ReconciledPage.Finding> findings) {
    List<ReconciledPage.Finding> wanted =
        findings.stream()
            .filter(finding -> result == null || finding.result().equals(result))
            .toList();
    if (seq <= after || wanted.isEmpty()) {
      return;
    }
    if (!items.isEmpty() && items.size() + wanted.size() > limit) {
      next = next == null ? Long.toString(lastShown) : next;
      return;
    }
    if (next == null) {
      items.addAll(wanted);
      lastShown = seq;
    }
  }
}
