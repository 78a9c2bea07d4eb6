package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.app.wire.ErrorView;
import dev.hapax.app.wire.JobView;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal of a reconciliation: the totals of all pages, and a page of items. Used once.
 */
final class ReconcileReading {
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
    return Json.read(run.input(), ReconcileWish.class).of(run.tenant());
  }

  ReconciliationView view() {
    read();
    ReconcileWish wish = wish(run);
    boolean byLookup = wish.targets().stream().anyMatch(ReconcileWish.Target::byLookup);
    return new ReconciliationView(
        run.id().toString(),
        ReconcileJob.NAME,
        state().word(),
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
        compared(),
        totals.notChecked(),
        totals.adopted(),
        totals.settled(),
        wish.repairs() ? new ReconciliationView.RepairCounts(repairable, notRepairable) : null,
        byLookup
            ? "A lookup finds one effect by its key. It cannot show what the ledger does not have (unknown), nor what is there twice (doubled)."
            : null,
        items.stream().map(this::planned).toList(),
        next);
  }

  /** Returns the same as a job; its results are the differences. */
  JobView job() {
    ReconciliationView view = view();
    var counts = new TreeMap<String, Long>();
    ReconciliationView.TotalsView found = view.totals();
    counts.put("matches", found.matches());
    counts.put("missing", found.missing());
    counts.put("differs", found.differs());
    counts.put("unknown", found.unknown());
    counts.put("doubled", found.doubled());
    counts.put("unchecked", found.unchecked());
    List<JobView.Result> results = new ArrayList<>();
    for (ReconciledPage.Finding item : view.items()) {
      results.add(result(results.size() + 1L, view.flow(), item));
    }
    return new JobView(
        view.id(),
        view.kind(),
        view.state(),
        spec(view),
        counts,
        view.done(),
        view.failed(),
        0,
        0,
        view.rate(),
        view.by(),
        view.by(),
        run.createdAt(),
        run.endedAt(),
        run.error() == null ? null : run.error().message(),
        results,
        view.next());
  }

  /** What was asked for, in the words of {@code POST /api/jobs}. */
  private static String spec(ReconciliationView view) {
    var filter = new TreeMap<String, String>();
    filter.put("flow", view.flow());
    if (view.steps().size() == 1) {
      filter.put("step", view.steps().getFirst());
    }
    if (view.from() != null) {
      filter.put("since", view.from());
    }
    if (view.to() != null) {
      filter.put("until", view.to());
    }
    return Json.write(Map.of("filter", filter, "adopt", view.adopt(), "repair", view.repair()));
  }

  private static JobView.Result result(long position, String flow, ReconciledPage.Finding item) {
    String subject = item.effect() == null ? item.externalId() : item.effect();
    return new JobView.Result(
        position,
        subject == null ? item.step() : subject,
        flow,
        item.key(),
        (item.result().equals("unchecked") ? JobItemState.FAILED : JobItemState.DONE).word(),
        item.problem(),
        Json.write(item),
        null);
  }

  private JobState state() {
    return switch (run.status()) {
      case SUCCEEDED, PARTIAL -> JobState.DONE;
      case FAILED -> JobState.FAILED;
      case CANCELED, COMPENSATED -> JobState.CANCELED;
      default -> JobState.RUNNING;
    };
  }

  /** All that was looked at and could be checked. */
  private long compared() {
    return totals.matches()
        + totals.missing()
        + totals.differs()
        + totals.unknown()
        + totals.doubled();
  }

  private ReconciledPage.Finding planned(ReconciledPage.Finding finding) {
    RepairPlan plan = finding.effect() == null ? null : plans.get(finding.effect());
    return plan == null || !finding.result().equals("missing") ? finding : finding.with(plan);
  }

  /**
   * Once for the totals and the items. A reconciliation that has succeeded has its totals as its
   * output: then nothing is read beyond the page, unless plans follow.
   */
  private void read() {
    String output = run.output();
    boolean endsWithPage = output != null && !wish(run).repairs();
    for (HistoryEntry entry : hapax.historyOf(run.id().toString())) {
      entry(entry);
      if (endsWithPage && next != null) {
        break;
      }
    }
    if (output != null) {
      totals = Json.read(output, ReconcileState.Totals.class);
    }
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
