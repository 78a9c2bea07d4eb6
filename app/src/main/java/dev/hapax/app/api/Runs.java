package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.HistoryView;
import dev.hapax.app.wire.Page;
import dev.hapax.app.wire.RunView;
import dev.hapax.history.HistoryEntry;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.RunFilter;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs as routes: lists, a single run, its history, and the actions of people on it. */
public final class Runs {
  private static final int WHOLE_PAGE = 200;

  /** No run is older, or younger; numbers of runs reach no further. */
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  private final Flows flows;
  private final Waiting waiting;

  public Runs(Flows flows, Waiting waiting) {
    this.flows = flows;
    this.waiting = waiting;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/runs", Scope.RUNS_READ, "List runs, newest first", Runs::list)
            .query("flow", "A flow's name, or its beginning and a *.")
            .query("key", "The key of runs.")
            .query("status", "Where runs stand, or 'retrying'.")
            .query("since", "Made at this time or later.")
            .query("until", "Made before this time.")
            .query("parent", "Started by this run as its children.")
            .query("draft", "Whether runs of drafts are listed instead.")
            .givesPage(RunView.class),
        Route.get("/api/runs/{id}", Scope.RUNS_READ, "Get a run", Runs::get)
            .gives(200, RunView.class),
        Route.get(
                "/api/runs/{id}/history",
                Scope.RUNS_READ,
                "What happened in a run, and why",
                Runs::history)
            .givesPage(HistoryView.class),
        Route.post(
                "/api/runs/{id}/cancel",
                Scope.RUNS_WRITE,
                "Ask for a run's end; what is in flight is settled first",
                Runs::cancel)
            .takes(CancelBody.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/retry",
                Scope.RUNS_WRITE,
                "Go on with what failed, with a corrected input if one is given",
                this::retry)
            .takes(RetryBody.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/steps/{step}/settle",
                Scope.EFFECTS_SETTLE,
                "Record by hand what a failed step should have done, and go on",
                Runs::settleStep)
            .takes(StepBody.class)
            .gives(200, RunView.class),
        Route.delete(
                "/api/flows/{flow}/keys/{+key}",
                Scope.ADMIN,
                "Forget the key of a run that has ended, never its effects",
                this::forget)
            .query("reason", "Why; it stays in the history.")
            .takes(ForgetBody.class)
            .gives(204, Void.class));
  }

  private static Answer list(Call call) {
    call.allowQuery(
        "flow", "key", "status", "since", "until", "parent", "limit", "after", Space.DRAFT);
    int limit = call.limit();
    Instant since = time(call, "since");
    boolean isRetrying = RetryingRuns.WORD.equals(call.query("status"));
    Predicate<Run> admitted = run -> since == null || !run.createdAt().isBefore(since);
    var filter =
        new RunFilter(
            call.actor().tenant(),
            call.query("flow"),
            call.query("key"),
            statuses(call.query("status")),
            parent(call),
            before(Cursor.after(call), time(call, "until")),
            null,
            limit + 1);
    if (isRetrying) {
      return Answer.ok(RetryingRuns.page(Space.of(call), filter, limit, admitted));
    }
    Hapax hapax = Space.of(call);
    List<Run> found = hapax.runs(filter).stream().filter(admitted).toList();
    return Answer.ok(
        Page.of(
            found,
            limit,
            run -> RunView.of(run, run.output(), hapax.isCodeMissing(run)),
            run -> Cursor.of(run.number())));
  }

  /** Numbers of runs are in the order of time, so a time is a place in the list. */
  private static @Nullable Long before(@Nullable Long cursor, @Nullable Instant until) {
    if (until == null) {
      return cursor;
    }
    long number =
        IdSource.firstAt(until.isAfter(LAST) ? LAST : until.isBefore(FIRST) ? FIRST : until);
    return cursor == null ? number : Math.min(cursor, number);
  }

  private static @Nullable Long parent(Call call) {
    String parent = call.query("parent");
    return parent == null ? null : run(Space.of(call), parent).number();
  }

  private static @Nullable Instant time(Call call, String name) {
    String given = call.query(name);
    try {
      return given == null ? null : OffsetDateTime.parse(given).toInstant();
    } catch (DateTimeParseException e) {
      throw Problem.invalidInput(
          "%s: expected a time such as 2026-11-15T10:00:00Z, got '%s'".formatted(name, given));
    }
  }

  private static Set<RunStatus> statuses(@Nullable String word) {
    return word == null || word.equals(RetryingRuns.WORD) ? Set.of() : Set.of(status(word));
  }

  private static RunStatus status(String word) {
    return Arrays.stream(RunStatus.values())
        .filter(status -> status.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "status: expected one of %s or %s, got '%s'"
                        .formatted(
                            Arrays.stream(RunStatus.values()).map(RunStatus::word).toList(),
                            RetryingRuns.WORD,
                            word)));
  }

  private static Answer get(Call call) {
    return answer(hapax(call), call.path("id"));
  }

  /** Returns the engine that has the run of this call. */
  private static Hapax hapax(Call call) {
    return Space.of(call, call.path("id"));
  }

  private static Answer answer(Hapax hapax, String id) {
    Run run = run(hapax, id);
    return Answer.ok(view(hapax, run));
  }

  static RunView view(Hapax hapax, Run run) {
    return RunView.of(run, outputOf(hapax, run), hapax.isCodeMissing(run));
  }

  /** Returns the run. A malformed id counts as not found. */
  static Run run(Hapax hapax, String id) {
    try {
      return hapax.run(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no run '%s'".formatted(id));
    }
  }

  /** Returns the value itself, also of a large output that is stored elsewhere. */
  static @Nullable String outputOf(Hapax hapax, Run run) {
    String output = run.output();
    return output != null && ResourceRef.isRef(output)
        ? hapax.resources().get(output).text()
        : output;
  }

  private static Answer history(Call call) {
    call.allowQuery("limit", "after", Space.DRAFT);
    Long after = Cursor.after(call);
    int limit = call.query("limit") == null ? WHOLE_PAGE : call.limit();
    Hapax hapax = hapax(call);
    run(hapax, call.path("id"));
    List<HistoryEntry> found =
        hapax.history(call.path("id")).stream()
            .filter(entry -> after == null || entry.seq() > after)
            .limit(limit + 1L)
            .toList();
    return Answer.ok(Page.of(found, limit, HistoryView::of, entry -> Cursor.of(entry.seq())));
  }

  private record CancelBody(@Nullable Boolean compensate, @Nullable String reason) {}

  private static Answer cancel(Call call) {
    CancelBody wish = call.jsonOrEmpty(CancelBody.class);
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    if (Boolean.TRUE.equals(wish.compensate())) {
      hapax.cancelAndCompensate(id, call.actor().name(), wish.reason());
    } else {
      hapax.cancel(id, call.actor().name(), wish.reason());
    }
    return answer(hapax, id);
  }

  private record RetryBody(@Nullable JsonNode input) {}

  private Answer retry(Call call) {
    RetryBody body = call.jsonOrEmpty(RetryBody.class);
    Hapax hapax = hapax(call);
    Run run = run(hapax, call.path("id"));
    String id = run.id().toString();
    JsonNode input = body.input();
    if (input == null) {
      hapax.retry(id, call.actor().name());
    } else {
      release(run).retry(hapax, id, call.actor().name(), Call.value(input));
    }
    call.forgetBody();
    waiting.await(hapax, hapax.handle(id, Object.class), Preference.wait(call));
    return answer(hapax, id);
  }

  private Startable release(Run run) {
    Startable flow = flows.find(run.tenant(), run.flow(), run.release());
    if (flow == null) {
      throw Problem.notPossible(
          "release %d of flow '%s' is not here, so a corrected input cannot be checked. Retry without one."
              .formatted(run.release(), run.flow()));
    }
    return flow;
  }

  private record StepBody(
      @Nullable JsonNode output, @Nullable String reason, @Nullable String item) {}

  private static Answer settleStep(Call call) {
    StepBody body = call.json(StepBody.class);
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    hapax.settleStep(
        id,
        call.path("step"),
        body.item(),
        body.output(),
        needed("reason", body.reason()),
        call.actor().name());
    return answer(hapax, id);
  }

  private record ForgetBody(@Nullable String reason) {}

  private Answer forget(Call call) {
    String inQuery = call.query("reason");
    String reason = inQuery != null ? inQuery : call.jsonOrEmpty(ForgetBody.class).reason();
    String name = call.path("flow");
    Startable flow = flows.find(call.actor().tenant(), name);
    if (flow == null) {
      throw Problem.notFound("there is no live release of a flow '%s'".formatted(name));
    }
    call.hapax()
        .forget(flow.flow(), call.path("key"), call.actor().name(), needed("reason", reason));
    return Answer.noContent();
  }

  /** Refuses a missing value that a person's decision needs: it stays in the history. */
  static String needed(String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw Problem.invalidInput(
          "%s: expected words, got nothing; it stays in the history".formatted(name));
    }
    return value;
  }
}
