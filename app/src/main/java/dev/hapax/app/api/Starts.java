package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.RunView;
import dev.hapax.run.Run;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/flows/{flow}/runs}: the door at which duplicates are stopped. */
public final class Starts {
  private final Flows flows;
  private final Waiting waiting;

  public Starts(Flows flows, Waiting waiting) {
    this.flows = flows;
    this.waiting = waiting;
  }

  /** Its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/flows/{flow}/runs",
                Scope.RUNS_WRITE,
                "Start a run; the second start of a key gets the first run",
                this::start)
            .query("draft", "Whether the draft is run instead of the live release.")
            .takes(Object.class)
            .gives(201, RunView.class)
            .gives(200, RunView.class));
  }

  private Answer start(Call call) {
    call.allowQuery("draft");
    String name = call.path("flow");
    Startable flow = flows.find(call.actor().tenant(), name);
    if (flow == null) {
      throw Problem.notFound("there is no live release of a flow '%s'".formatted(name));
    }
    Duration wait = Preference.wait(call);
    Hapax hapax = call.hapax();
    RunHandle<?> handle = begin(call, hapax, flow);
    Run run = waiting.await(hapax, handle, wait);
    Answer answer = answer(run, RunView.of(run, Runs.outputOf(hapax, run)), handle.isDuplicate());
    return wait.isZero() ? answer : answer.header("Preference-Applied", "wait=" + wait.toSeconds());
  }

  private static Answer answer(Run run, RunView view, boolean isDuplicate) {
    return isDuplicate
        ? Answer.ok(view).header("Idempotent-Replayed", "true")
        : Answer.created(view, "/api/runs/" + run.id());
  }

  private static RunHandle<?> begin(Call call, Hapax hapax, Startable flow) {
    try {
      return flow.start(hapax, call.valueOrEmpty(), key(call));
    } catch (KeyReused e) {
      throw Problem.keyReused(String.valueOf(e.getMessage()))
          .with("run", RunView.of(hapax.run(e.firstRun())));
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
