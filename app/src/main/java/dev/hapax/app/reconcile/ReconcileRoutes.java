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
import dev.hapax.app.wire.JobView;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flows.LoadedFlow;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reconciliations and repairs as routes: they are runs of flows of the server. */
public final class ReconcileRoutes {
  private static final Set<String> RESULTS =
      Set.of("missing", "differs", "unknown", "doubled", "unchecked");
  private static final int LONGEST_REASON = 1_000;
  private static final FlowSubject OF_RECONCILIATION =
      FlowSubject.of(
          "reconciliation",
          "id",
          call -> ReconcileReading.wish(run(call.hapax(), call.path("id"))).flow());

  private final LiveFlows live;
  private final Flow<ReconcileWish, ReconcileState.Totals> flow;
  private final Flow<RepairFlow.RepairWish, RepairFlow.RepairTotals> repairs;

  public ReconcileRoutes(LiveFlows live, ReconcileFlow reconcile, RepairFlow repair) {
    this.live = live;
    this.flow = reconcile.flow();
    this.repairs = repair.flow();
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
            .about(OF_RECONCILIATION)
            .query(
                "result",
                "Only items with this result: missing, differs, unknown, doubled or unchecked.")
            .paged()
            .gives(200, ReconciliationView.class),
        Route.post(
                "/api/reconciliations/{id}/repair",
                TokenScope.EFFECTS_SETTLE,
                "Send again what is missing, as the reconciliation planned it",
                this::repair)
            .about(OF_RECONCILIATION)
            .takes(RepairBody.class)
            .gives(201, RepairView.class),
        Route.get(
                "/api/reconciliations/{id}/repair",
                TokenScope.EFFECTS_READ,
                "Get the repair of a reconciliation",
                this::repaired)
            .about(OF_RECONCILIATION)
            .paged()
            .gives(200, RepairView.class));
  }

  private record Body(
      @Nullable String flow,
      @Nullable String step,
      @Nullable String from,
      @Nullable String to,
      @Nullable Integer rate,
      @Nullable Boolean adopt,
      @Nullable Boolean repair) {}

  private record RepairBody(@Nullable String reason) {}

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
    List<ReconcileWish.Target> targets = ReconcileTargets.needed(loaded, body.step());
    var wish =
        new ReconcileWish(
            tenant,
            name,
            loaded.flow().release(),
            targets,
            time("from", body.from()),
            time("to", body.to()),
            Boolean.TRUE.equals(body.adopt()),
            call.actor().name(),
            body.rate() == null ? ReconcileTargets.rate(loaded, targets) : rate(body.rate()),
            Boolean.TRUE.equals(body.repair()) ? Boolean.TRUE : null,
            null);
    Hapax hapax = call.hapax();
    RunHandle<?> begun = begin(call, hapax, wish);
    return RouteAnswer.created(
        new ReconcileReading(hapax, hapax.run(begun.id()), null, 0, 1).view(),
        "/api/reconciliations/" + begun.id());
  }

  private static Integer rate(Integer wanted) {
    if (wanted < 1 || wanted > CallPace.MOST) {
      throw Problem.invalidInput(
          "rate: expected 1 to %d in a second, got %d".formatted(CallPace.MOST, wanted));
    }
    return wanted;
  }

  private RunHandle<?> begin(Call call, Hapax hapax, ReconcileWish wish) {
    try {
      return hapax.start(flow, wish, call.header("Idempotency-Key"), call.actor().caller());
    } catch (KeyReused e) {
      throw Problem.keyReused(String.valueOf(e.getMessage()));
    }
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
    String result = call.query("result");
    if (result != null && !RESULTS.contains(result)) {
      throw Problem.invalidInput(
          "result: expected missing, differs, unknown, doubled or unchecked, got '%s'"
              .formatted(result));
    }
    Hapax hapax = call.hapax();
    return RouteAnswer.ok(
        new ReconcileReading(
                hapax,
                run(hapax, call.path("id")),
                result,
                after(call.query("after")),
                call.limit())
            .view());
  }

  /** Returns a reconciliation as a job, with its differences as results. */
  public JobView job(Call call) {
    if (call.query("result") != null) {
      throw Problem.invalidInput(
          "result: the items of a reconciliation have no job states; GET /api/reconciliations/{id}"
              + " filters them by what was found");
    }
    return new ReconcileReading(
            call.hapax(), seen(call), null, after(call.query("after")), call.limit())
        .job();
  }

  /** Ends a reconciliation; what it has adopted stays. */
  public JobView cancelJob(Call call) {
    if (!call.actor().may(TokenScope.EFFECTS_SETTLE)) {
      throw Problem.forbidden("a job 'reconcile' needs a token with the scope effects:settle");
    }
    Run run = seen(call);
    call.hapax().cancel(run.id().toString(), call.actor().name(), null);
    return new ReconcileReading(
            call.hapax(), call.hapax().run(run.id().toString()), null, 0, call.limit())
        .job();
  }

  private static Run seen(Call call) {
    Run run = run(call.hapax(), call.path("id"));
    if (!call.actor().may(TokenScope.EFFECTS_READ)
        || !call.mayUse(ReconcileReading.wish(run).flow())) {
      throw Problem.notFound("there is no job " + call.path("id"));
    }
    return run;
  }

  private RouteAnswer repair(Call call) {
    Hapax hapax = call.hapax();
    Run reconciled = run(hapax, call.path("id"));
    if (!call.actor().may(TokenScope.RUNS_WRITE)) {
      throw Problem.forbidden("a repair replays runs: the token needs the scope runs:write, too");
    }
    ReconcileWish wish = ReconcileReading.wish(reconciled);
    String reason = reason(call.json(RepairBody.class).reason());
    if (!wish.repairs()) {
      throw Problem.notPossible(
          "reconciliation %s has planned no repair. Start one with \"repair\": true, and look at its plan"
              .formatted(reconciled.id()));
    }
    if (!reconciled.status().word().equals("succeeded")) {
      throw Problem.notPossible(
          "reconciliation %s is %s: its plan is not complete. Wait for its end"
              .formatted(reconciled.id(), reconciled.status().word()));
    }
    var wanted =
        new RepairFlow.RepairWish(
            wish.tenant(),
            reconciled.id().toString(),
            wish.flow(),
            wish.rate(),
            call.actor().name(),
            reason);
    RunHandle<?> begun;
    try {
      begun = hapax.start(repairs, wanted, null, call.actor().caller());
    } catch (KeyReused e) {
      throw Problem.notPossible(
          "reconciliation %s is repaired already, or was. Reconcile again, and repair that"
              .formatted(reconciled.id()));
    }
    return RouteAnswer.created(
        RepairView.of(hapax, hapax.run(begun.id()), 0, 1),
        "/api/reconciliations/%s/repair".formatted(reconciled.id()));
  }

  private static String reason(@Nullable String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST_REASON) {
      throw Problem.invalidInput(
          "reason: expected 1 to %,d characters that say why it is sent again"
              .formatted(LONGEST_REASON));
    }
    return text.strip();
  }

  private RouteAnswer repaired(Call call) {
    call.allowQuery("limit", "after");
    Hapax hapax = call.hapax();
    String id = run(hapax, call.path("id")).id().toString();
    Run run;
    try {
      run = hapax.run(hapax.id(RepairFlow.NAME, id));
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("reconciliation %s has not been repaired".formatted(id));
    }
    return RouteAnswer.ok(RepairView.of(hapax, run, after(call.query("after")), call.limit()));
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

  private static long after(@Nullable String cursor) {
    try {
      return cursor == null ? 0 : Long.parseLong(cursor);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("after: expected the value of 'next' of the page before");
    }
  }
}
