package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Message;
import dev.hapax.flow.Read;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The flow of reconciliations: it reads the list of a destination page by page, compares each page
 * with the ledger, and then looks for rows of the ledger that the list did not have. Without a
 * list, it looks up each row. Each page is a round of its own in the journal, so a reconciliation
 * goes on after a crash where it was.
 */
public final class ReconcileFlow {
  /** No flow file can have this name. */
  public static final String NAME = "hapax.reconcile";

  static final String PAGE = "page";

  /** A page whose rows the destination did not answer for. */
  private static final String SILENT = "silent-page";

  private static final int MOST_PAGES = 100_000;
  private static final int MOST_SILENT = 3;

  /** A destination that is down is awaited. */
  static final RetryPolicy PATIENT =
      new RetryPolicy(
          1_000, Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2, Duration.ofHours(6));

  private final Function<String, Hapax> tenants;
  private final ReconcileSources sources;
  private final LedgerLookups lookups = new LedgerLookups();
  private final AbsenceWatch watch;
  private final RecordedItems<ReconciledPage.Finding> missing =
      new RecordedItems<>(MissingCheck::missingIn);
  private final Clock clock;
  private final Flow<ReconcileWish, ReconcileState.Totals> flow;

  public ReconcileFlow(Function<String, Hapax> tenants, ReconcileSources sources, Clock clock) {
    this.tenants = tenants;
    this.sources = sources;
    this.watch = new AbsenceWatch(clock);
    this.clock = clock;
    this.flow =
        Flow.of(NAME, ReconcileWish.class, ReconcileState.Totals.class).body(this::reconcile);
  }

  /** Returns the flow, to be registered once for all tenants. */
  public Flow<ReconcileWish, ReconcileState.Totals> flow() {
    return flow;
  }

  private ReconcileState.Totals reconcile(RunContext run, ReconcileWish asked) {
    ReconcileWish wish = asked.of(run.tenant());
    Hapax hapax = tenants.apply(wish.tenant());
    var pages = new ListPages(hapax, wish, sources, clock);
    ReconcileState end =
        run.repeat(
            "pages",
            MOST_PAGES,
            (round, _, before) -> {
              ReconcileState state = before == null ? ReconcileState.first(wish) : before;
              pages.know(run.id(), state);
              return round(hapax, round, wish, state, pages);
            },
            ReconcileState.class);
    ReconcileState.Totals totals = Objects.requireNonNull(end).totals();
    if (wish.repairs() && totals.missing() > 0) {
      new MissingCheck(hapax, wish, sources, lookups, watch, missing).run(run);
    }
    if (wish.schedule() != null && totals.hasDifferences()) {
      alert(run, wish, totals);
    }
    return totals;
  }

  private Repetition<ReconcileState> round(
      Hapax hapax, RunContext round, ReconcileWish wish, ReconcileState state, ListPages pages) {
    ReconcileWish.Target target = wish.targets().get(state.target());
    boolean isList = state.before() == null;
    ReconcileState heard = state;
    ReconciledPage page;
    if (isList) {
      page = pages.listed(round, state, target);
    } else if (target.byLookup()) {
      Looked looked = looked(hapax, round, wish, state, target);
      page = looked.page();
      heard = state.silent(looked.isSilent());
    } else {
      page = round.step(PAGE, () -> pages.missing(state, target), ReconciledPage.class);
    }
    ReconcileState counted = heard.counting(page.totals());
    if (wish.adopt() && !(page.ids().isEmpty() && page.reviews().isEmpty())) {
      counted =
          counted.counting(
              round.step(
                  "adopt", () -> new Adoption(hapax, wish).of(page), ReconcileState.Totals.class));
    }
    ReconcileState next =
        isList
            ? counted.afterPage(page)
            : counted.afterRows(page.next() == null ? null : Long.valueOf(page.next()), wish);
    if (next.target() == wish.targets().size()) {
      return Repetition.done(next);
    }
    rest(round, wish, state, target, isList);
    if (next.target() != state.target()) {
      pages.begin(next.target());
    }
    return Repetition.again(next);
  }

  /** A page of the ledger alone costs the destination nothing. */
  private void rest(
      RunContext round,
      ReconcileWish wish,
      ReconcileState state,
      ReconcileWish.Target target,
      boolean isList) {
    if (isList) {
      CallPace pace = CallPace.of(wish.rate(), null);
      pace.rest(round, state.page() % pace.calls() == 0 ? pace.calls() : 0);
    } else if (target.byLookup()) {
      CallPace pace = CallPace.of(wish.rate(), lookupOf(wish, target));
      pace.rest(round, pace.calls());
    }
  }

  private EffectLookup lookupOf(ReconcileWish wish, ReconcileWish.Target target) {
    EffectLookup lookup = sources.lookup(wish.tenant(), wish.flow(), wish.release(), target.step());
    if (lookup == null) {
      throw new IllegalStateException(
          "release %d of flow '%s' has no lookup of step '%s'"
              .formatted(wish.release(), wish.flow(), target.step()));
    }
    return lookup;
  }

  private record Looked(ReconciledPage page, boolean isSilent) {}

  private Looked looked(
      Hapax hapax,
      RunContext round,
      ReconcileWish wish,
      ReconcileState state,
      ReconcileWish.Target target) {
    EffectLookup lookup = lookupOf(wish, target);
    long before = Objects.requireNonNull(state.before());
    int most = CallPace.of(wish.rate(), lookup).calls();
    try {
      ReconciledPage page =
          round.read(
              PAGE,
              patient(lookup),
              () -> {
                LedgerPage rows =
                    LedgerPage.of(hapax, wish, target.effect(), before, most, null)
                        .about(wish, target);
                var answers =
                    lookups.ask(
                        hapax,
                        round,
                        "%d/%d".formatted(state.target(), before),
                        lookup,
                        wish.flow(),
                        rows.rows());
                return rows.compared(hapax, target, lookup, answers);
              },
              ReconciledPage.class);
      return new Looked(page, false);
    } catch (StepFailed e) {
      if (state.silent() != null && state.silent() + 1 >= MOST_SILENT) {
        throw e; // the run fails, and a retry goes on here
      }
      return new Looked(
          round.step(
              SILENT,
              () ->
                  LedgerPage.of(hapax, wish, target.effect(), before, most, null)
                      .about(wish, target)
                      .unchecked(
                          hapax, target, "the destination did not answer: " + e.getMessage()),
              ReconciledPage.class),
          true);
    }
  }

  static Read patient(EffectLookup lookup) {
    Read read = Read.retried(PATIENT);
    String destination = lookup.destination();
    return destination == null ? read : read.to(destination);
  }

  private void alert(RunContext run, ReconcileWish wish, ReconcileState.Totals totals) {
    boolean isWanted =
        run.step("alerts", () -> sources.alertsOf(wish.tenant(), wish.flow()), Boolean.class);
    if (!isWanted) {
      return;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("alert", Alert.DIFFERENCES.word());
    data.put("flow", wish.flow());
    data.put("run", run.id());
    data.put(
        "step",
        wish.targets().stream().map(ReconcileWish.Target::step).collect(Collectors.joining(", ")));
    data.put("schedule", String.valueOf(wish.schedule()));
    data.put(
        "note",
        "the ledger and the destination differ: %,d missing, %,d differ, %,d unknown, %,d doubled, %,d not checked. See hapax reconcile show %s"
            .formatted(
                totals.missing(),
                totals.differs(),
                totals.unknown(),
                totals.doubled(),
                totals.notChecked(),
                run.id()));
    var _ =
        run.publish(
            "alert", Message.to(AlertDesk.DESTINATION).type(Alert.DIFFERENCES.type()).data(data));
  }

  /** Returns the JSON of a page that the entry records; null for any other entry. */
  static @Nullable String pageIn(Hapax hapax, HistoryEntry entry) {
    return "step-done".equals(entry.type())
            && (PAGE.equals(entry.step()) || SILENT.equals(entry.step()))
        ? hapax.ledger().json(entry.output())
        : null;
  }
}
