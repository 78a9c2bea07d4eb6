package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.RunView;
import dev.hapax.flow.Run;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/flows/{flow}/runs}: starts runs and stops duplicates. */
public final class Starts {
  private final StartableFlows flows;
  private final Waiting waiting;

  public Starts(StartableFlows flows, Waiting waiting) {
    this.flows = flows;
    this.waiting = waiting;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/flows/{flow}/runs",
                TokenScope.RUNS_WRITE,
                "Start a run; a second start with the same key gets the first run",
                this::start)
            .about(FlowSubject.IN_PATH)
            .query(
                "draft",
                "With true, runs the draft instead of the live release; a draft sends nothing.")
            .takes(Object.class)
            .gives(201, RunView.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/flows/{flow}/runs/check",
                TokenScope.RUNS_WRITE,
                "Get the key of a start and what it would get; nothing starts",
                this::check)
            .about(FlowSubject.IN_PATH)
            .query("draft", "With true, about a start of the draft.")
            .takes(Object.class)
            .gives(200, StartCheckView.class),
        Route.get(
                "/api/flows/{flow}/input",
                TokenScope.FLOWS_READ,
                "Get what a start takes: the schema of the input, and whether the flow computes the key",
                this::input)
            .about(FlowSubject.IN_PATH)
            .query("draft", "With true, of the draft.")
            .gives(200, InputView.class));
  }

  private RouteAnswer check(Call call) {
    call.allowQuery(Space.DRAFT);
    Startable flow = flow(call);
    return RouteAnswer.ok(
        StartCheckView.of(
            flow.flow(), flow.outlook(Space.of(call), call.valueOrEmpty(), key(call))));
  }

  private RouteAnswer input(Call call) {
    call.allowQuery(Space.DRAFT);
    return RouteAnswer.ok(InputView.of(flow(call)));
  }

  private RouteAnswer start(Call call) {
    call.allowQuery(Space.DRAFT);
    Startable flow = flow(call);
    Duration wait = Preference.wait(call);
    Hapax hapax = Space.of(call);
    RunHandle<?> handle = begin(call, hapax, flow);
    call.forgetBody();
    Run run = waiting.await(hapax, handle, wait);
    RouteAnswer answer =
        answer(run, DraftSends.in(Runs.view(hapax, run), call, hapax, run), handle.isDuplicate());
    return wait.isZero() ? answer : answer.header("Preference-Applied", "wait=" + wait.toSeconds());
  }

  private Startable flow(Call call) {
    String name = call.path("flow");
    if (call.flag(Space.DRAFT)) {
      return permitted(call, flows.draft(call.actor().tenant(), name));
    }
    Startable live = flows.find(call.actor().tenant(), name);
    if (live == null) {
      Problem retired = flows.whyRetired(call.actor().tenant(), name);
      throw retired != null
          ? retired
          : Problem.notFound("there is no live release of a flow '%s'".formatted(name));
    }
    return live;
  }

  /** A draft writes nothing, but it reads through its connections. */
  private static Startable permitted(Call call, Startable draft) {
    if (draft instanceof Startable.OfFile(var loaded)
        && !loaded.file().connections().isEmpty()
        && !call.actor().may(TokenScope.CONNECTIONS_USE)) {
      throw Problem.forbidden(
          "the draft uses the connections %s: the token needs %s to run it"
              .formatted(loaded.file().connections(), TokenScope.CONNECTIONS_USE.word()));
    }
    return draft;
  }

  private static RouteAnswer answer(Run run, RunView view, boolean isDuplicate) {
    return isDuplicate
        ? RouteAnswer.ok(view).header("Idempotent-Replayed", "true")
        : RouteAnswer.created(view, "/api/runs/" + run.id());
  }

  private static RunHandle<?> begin(Call call, Hapax hapax, Startable flow) {
    try {
      return flow.start(hapax, call.valueOrEmpty(), key(call), call.actor().caller());
    } catch (KeyReused e) {
      throw Problem.keyReused(String.valueOf(e.getMessage()))
          .with("run", Runs.view(hapax, hapax.run(e.firstRun())));
    }
  }

  private static @Nullable String key(Call call) {
    String key = call.header("Idempotency-Key");
    if (key != null && key.isBlank()) {
      throw Problem.invalidInput("Idempotency-Key: expected a key, got nothing");
    }
    return key;
  }
}
