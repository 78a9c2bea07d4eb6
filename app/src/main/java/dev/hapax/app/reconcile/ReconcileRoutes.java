package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.wire.ErrorView;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Run;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reconciliations as routes: they are runs of a flow of the server. */
public final class ReconcileRoutes {
  private static final int HISTORY = 200;

  private final LiveFlows live;
  private final Flow<ReconcileWish, ReconcileState.Totals> flow;

  public ReconcileRoutes(LiveFlows live, ReconcileFlow reconcile) {
    this.live = live;
    this.flow = reconcile.flow();
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/reconciliations",
                TokenScope.EFFECTS_SETTLE,
                "Compare the ledger with a destination",
                this::start)
            .about(FlowSubject.LISTED)
            .takes(Body.class)
            .gives(201, ReconciliationView.class),
        Route.get(
                "/api/reconciliations/{id}",
                TokenScope.EFFECTS_READ,
                "Get a reconciliation",
                ReconcileRoutes::get)
            .about(
                FlowSubject.of(
                    "reconciliation",
                    "id",
                    call -> wish(run(call.hapax(), call.path("id"))).flow()))
            .query("result", "Only items with this result: missing, differs, unknown or doubled.")
            .paged()
            .gives(200, ReconciliationView.class));
  }

  private record Body(
      @Nullable String flow,
      @Nullable String step,
      @Nullable String from,
      @Nullable String to,
      @Nullable Boolean adopt) {}

  private RouteAnswer start(Call call) {
    Body body = call.json(Body.class);
    String name = body.flow();
    if (name == null || name.isBlank()) {
      throw Problem.invalidInput("flow: expected the name of a flow, got nothing");
    }
    String tenant = call.actor().tenant();
    LoadedFlow loaded = call.mayUse(name) ? live.find(tenant, name) : null;
    if (loaded == null) {
      throw Problem.notFound("there is no live release of a flow '%s'".formatted(name));
    }
    var wish =
        new ReconcileWish(
            tenant,
            name,
            loaded.flow().release(),
            targets(loaded, body.step()),
            time("from", body.from()),
            time("to", body.to()),
            Boolean.TRUE.equals(body.adopt()),
            call.actor().name());
    Hapax hapax = call.hapax();
    RunHandle<?> begun = begin(call, hapax, wish);
    return RouteAnswer.created(
        view(hapax, hapax.run(begun.id()), null, null, 1), "/api/reconciliations/" + begun.id());
  }

  private RunHandle<?> begin(Call call, Hapax hapax, ReconcileWish wish) {
    try {
      return hapax.start(flow, wish, call.header("Idempotency-Key"), call.actor().caller());
    } catch (KeyReused e) {
      throw Problem.keyReused(String.valueOf(e.getMessage()));
    }
  }

  private static List<ReconcileWish.Target> targets(LoadedFlow loaded, @Nullable String step) {
    List<ReconcileWish.Target> targets = new ArrayList<>();
    for (FlowStep one : loaded.file().allSteps()) {
      EffectContract effect = one.effect();
      if (effect != null && effect.reconcile() != null && (step == null || step.equals(one.id()))) {
        String own = effect.name();
        targets.add(
            new ReconcileWish.Target(
                one.id(), own == null ? loaded.file().name() + "/" + one.id() : own));
      }
    }
    if (targets.isEmpty()) {
      throw Problem.invalidInput(
          step == null
              ? "flow '%s' has no step with effect.reconcile: add it, and say there how to list the objects"
                  .formatted(loaded.file().name())
              : "step: expected a step with effect.reconcile, got '%s'".formatted(step));
    }
    return targets;
  }

  private static @Nullable String time(String what, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text).toString();
    } catch (DateTimeException e) {
      throw Problem.invalidInput(
          "%s: expected a time such as 2026-03-01T10:00:00Z, got another text".formatted(what));
    }
  }

  private static RouteAnswer get(Call call) {
    call.allowQuery("result", "limit", "after");
    Hapax hapax = call.hapax();
    return RouteAnswer.ok(
        view(
            hapax,
            run(hapax, call.path("id")),
            call.query("result"),
            call.query("after"),
            call.limit()));
  }

  private static Run run(Hapax hapax, String id) {
    Run run;
    try {
      run = hapax.run(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no reconciliation '%s'".formatted(id));
    }
    if (!run.flow().equals(ReconcileFlow.NAME)) {
      throw Problem.notFound("there is no reconciliation '%s'".formatted(id));
    }
    return run;
  }

  private static ReconcileWish wish(Run run) {
    return Json.read(run.input(), ReconcileWish.class);
  }

  private static ReconciliationView view(
      Hapax hapax, Run run, @Nullable String result, @Nullable String after, int limit) {
    ReconcileWish wish = wish(run);
    var reading = new Reading(hapax, run, result, after(after), limit);
    reading.read();
    return new ReconciliationView(
        run.id().toString(),
        wish.flow(),
        wish.targets().stream().map(ReconcileWish.Target::step).toList(),
        wish.from(),
        wish.to(),
        wish.adopt(),
        run.status().word(),
        run.error() == null ? null : ErrorView.of(run.error()),
        ReconciliationView.TotalsView.of(reading.totals),
        reading.totals.adopted(),
        reading.totals.settled(),
        reading.items,
        reading.next);
  }

  private static long after(@Nullable String cursor) {
    try {
      return cursor == null ? 0 : Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("after: expected the value of 'next' of the page before");
    }
  }

  /** Reads the journal of a reconciliation: the totals of all pages, and a page of items. */
  private static final class Reading {
    private final Hapax hapax;
    private final Run run;
    private final @Nullable String result;
    private final long after;
    private final int limit;
    private ReconcileState.Totals totals = ReconcileState.Totals.NONE;
    private final List<ReconciledPage.Finding> items = new ArrayList<>();
    private @Nullable String next;
    private long lastShown;

    Reading(Hapax hapax, Run run, @Nullable String result, long after, int limit) {
      this.hapax = hapax;
      this.run = run;
      this.result = result;
      this.after = after;
      this.limit = limit;
    }

    void read() {
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
}
