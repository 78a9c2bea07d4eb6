package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.LedgerBook;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.json.Json;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flow of reconciliations: it reads the list of a destination page by page, compares each page
 * with the ledger, and then looks for rows of the ledger that the list did not have. Each page is a
 * round of its own in the journal, so a reconciliation goes on after a crash where it was.
 */
public final class ReconcileFlow {
  /** No flow file can have this name. */
  public static final String NAME = "hapax.reconcile";

  static final String PAGE = "page";
  private static final int MOST_PAGES = 100_000;
  private static final int ROWS = 200;
  private static final int HISTORY = 200;

  private final Function<String, Hapax> tenants;
  private final Lists lists;
  private final Flow<ReconcileWish, ReconcileState.Totals> flow;

  /** Finds what a step says about the list of its objects. */
  @FunctionalInterface
  public interface Lists {
    /** Returns null if there is no such release or step, or if it says nothing. */
    @Nullable DestinationList of(String tenant, String flow, int release, String step);
  }

  public ReconcileFlow(Function<String, Hapax> tenants, Lists lists) {
    this.tenants = tenants;
    this.lists = lists;
    this.flow =
        Flow.of(NAME, ReconcileWish.class, ReconcileState.Totals.class).body(this::reconcile);
  }

  /** Returns the flow, to be registered once for all tenants. */
  public Flow<ReconcileWish, ReconcileState.Totals> flow() {
    return flow;
  }

  private ReconcileState.Totals reconcile(RunContext run, ReconcileWish wish) {
    Hapax hapax = tenants.apply(wish.tenant());
    var seen = new SeenKeys();
    ReconcileState end =
        run.repeat(
            "pages",
            MOST_PAGES,
            (round, _, before) -> {
              ReconcileState state = before == null ? ReconcileState.FIRST : before;
              if (!seen.isBefore(state)) {
                readAgain(hapax, run.id(), state, seen);
              }
              return round(hapax, round, wish, state, seen);
            },
            ReconcileState.class);
    return Objects.requireNonNull(end).totals();
  }

  private Repetition<ReconcileState> round(
      Hapax hapax, RunContext round, ReconcileWish wish, ReconcileState state, SeenKeys seen) {
    ReconcileWish.Target target = wish.targets().get(state.target());
    boolean isList = state.before() == null;
    ReconciledPage page =
        isList
            ? listed(hapax, round, wish, state, target, seen)
            : round.step(
                PAGE, () -> missing(hapax, wish, state, target, seen), ReconciledPage.class);
    ReconcileState counted = state.counting(page.totals());
    if (isList) {
      seen.add(page.keys());
    }
    if (wish.adopt() && !(page.ids().isEmpty() && page.reviews().isEmpty())) {
      counted =
          counted.counting(
              round.step("adopt", () -> adopt(hapax, wish, page), ReconcileState.Totals.class));
    }
    ReconcileState next =
        isList
            ? counted.afterPage(page.next())
            : counted.afterRows(page.next() == null ? null : Long.valueOf(page.next()));
    if (next.target() == wish.targets().size()) {
      return Repetition.done(next);
    }
    if (next.target() != state.target()) {
      seen.begin(next.target());
    }
    return Repetition.again(next);
  }

  private ReconciledPage listed(
      Hapax hapax,
      RunContext round,
      ReconcileWish wish,
      ReconcileState state,
      ReconcileWish.Target target,
      SeenKeys seen) {
    DestinationList list = lists.of(wish.tenant(), wish.flow(), wish.release(), target.step());
    if (list == null) {
      throw new IllegalStateException(
          "release %d of flow '%s' has no list of step '%s'"
              .formatted(wish.release(), wish.flow(), target.step()));
    }
    Map<String, @Nullable Object> asked = new LinkedHashMap<>();
    asked.put("number", state.page());
    asked.put("cursor", state.cursor());
    asked.put("from", wish.from());
    asked.put("to", wish.to());
    return round.read(
        PAGE,
        list.read(),
        () -> {
          DestinationList.Page page = list.page(round, asked);
          if (page.next() != null && page.next().equals(state.cursor())) {
            throw new Rejected(
                "same-cursor",
                "effect.reconcile.next of step '%s' gives the cursor of the page itself"
                    .formatted(target.step()));
          }
          return new PageComparison(hapax.ledger(), list, target, seen).of(page);
        },
        ReconciledPage.class);
  }

  /** Looks at rows of the ledger that are done. That the list lacks one settles nothing. */
  private static ReconciledPage missing(
      Hapax hapax,
      ReconcileWish wish,
      ReconcileState state,
      ReconcileWish.Target target,
      SeenKeys seen) {
    long first = wish.from() == null ? 0 : IdSource.firstAt(Instant.parse(wish.from()));
    long last = wish.to() == null ? Long.MAX_VALUE : IdSource.firstAt(Instant.parse(wish.to()));
    EffectFilter filter =
        hapax
            .effects()
            .name(target.effect())
            .state(EffectState.DONE)
            .before(Math.min(last, Objects.requireNonNull(state.before())))
            .limit(ROWS);
    List<ReconciledPage.Finding> findings = new ArrayList<>();
    List<EffectRecord> rows = hapax.effects(filter);
    boolean isEnd = rows.size() < ROWS;
    for (EffectRecord row : rows) {
      if (row.number() < first) {
        isEnd = true;
        break;
      }
      if (!seen.has(SeenKeys.hash(row.key().key()))) {
        findings.add(
            new ReconciledPage.Finding(
                "missing", target.step(), row.key().key(), row.id(), row.externalId(), null, null));
      }
    }
    return new ReconciledPage(
        isEnd ? null : Long.toString(rows.getLast().number()),
        new ReconcileState.Totals(0, findings.size(), 0, 0, 0, 0, 0),
        "",
        findings,
        List.of(),
        List.of());
  }

  /** Repeated without harm: an id is noted once, and a review is settled once. */
  private static ReconcileState.Totals adopt(Hapax hapax, ReconcileWish wish, ReconciledPage page) {
    LedgerBook ledger = hapax.ledger();
    long adopted = 0;
    for (ReconciledPage.FoundId found : page.ids()) {
      adopted += adopt(hapax, ledger, found) ? 1 : 0;
    }
    long settled = 0;
    for (ReconciledPage.FoundReview found : page.reviews()) {
      settled += settle(hapax, wish, found) ? 1 : 0;
    }
    return new ReconcileState.Totals(0, 0, 0, 0, 0, adopted, settled);
  }

  private static boolean adopt(Hapax hapax, LedgerBook ledger, ReconciledPage.FoundId found) {
    try {
      EffectRecord row = hapax.effect(found.effect());
      return row.revision() == found.revision() && ledger.adopt(row, found.externalId());
    } catch (NotFound gone) {
      return false;
    }
  }

  private static boolean settle(Hapax hapax, ReconcileWish wish, ReconciledPage.FoundReview found) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("status", 200);
    output.put("headers", Map.of());
    output.put("body", Json.read(found.item(), Object.class));
    Settlement happened =
        Settlement.happened(
                output,
                "the destination's list has it (reconciliation of flow '%s')"
                    .formatted(wish.flow()),
                wish.by())
            .seen(found.revision(), found.attempts());
    try {
      hapax.settle(
          found.effect(),
          found.externalId() == null ? happened : happened.externalId(found.externalId()));
      return true;
    } catch (NotPossible | NotFound settledMeanwhile) {
      return false;
    }
  }

  /** After a restart, reads the keys of the target's pages from the run's own journal. */
  private static void readAgain(Hapax hapax, String run, ReconcileState state, SeenKeys seen) {
    seen.begin(state.target());
    int target = 0;
    boolean isLedger = false;
    long after = 0;
    HistoryPage page;
    do {
      page = hapax.history(run, after, HISTORY);
      for (HistoryEntry entry : page.entries()) {
        String output = pageIn(hapax, entry);
        if (output == null || seen.isBefore(state)) {
          continue;
        }
        ReconciledPage known = Json.read(output, ReconciledPage.class);
        if (target == state.target() && !isLedger) {
          seen.add(known.keys());
        }
        boolean isEnd = known.next() == null;
        target += isLedger && isEnd ? 1 : 0;
        isLedger = isEnd != isLedger;
      }
      after = page.entries().isEmpty() ? after : page.entries().getLast().seq();
    } while (!page.entries().isEmpty() && !seen.isBefore(state));
  }

  /** Returns the JSON of a page that the entry records; null for any other entry. */
  static @Nullable String pageIn(Hapax hapax, HistoryEntry entry) {
    return "step-done".equals(entry.type()) && PAGE.equals(entry.step())
        ? hapax.ledger().json(entry.output())
        : null;
  }
}
