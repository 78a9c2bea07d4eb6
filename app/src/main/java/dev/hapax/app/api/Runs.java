package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.DuplicateView;
import dev.hapax.app.wire.HistoryView;
import dev.hapax.app.wire.Page;
import dev.hapax.app.wire.PageRows;
import dev.hapax.app.wire.RunView;
import dev.hapax.app.wire.RunWaitView;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Names;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs as routes: lists, a single run, its history, and the actions of people on it. */
public final class Runs {
  private static final int WHOLE_PAGE = 200;

  private static final String PAYLOADS = "payloads";

  private static final String PREVIEW_SAYS =
      "With preview, an input or output above 2,000 characters is null, and inputBytes or"
          + " outputBytes say how large it is.";

  /** No run is older, or younger; numbers of runs reach no further. */
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  /** A run that is being canceled or undone can wait for a person, and keeps its status. */
  private static final Set<RunStatus> MAY_BE_IN_REVIEW =
      Set.of(RunStatus.REVIEW, RunStatus.CANCELING, RunStatus.COMPENSATING);

  static final FlowSubject OF_RUN =
      FlowSubject.of("run", "id", call -> run(hapax(call), call.path("id")).flow());

  private final StartableFlows flows;
  private final Waiting waiting;

  public Runs(StartableFlows flows, Waiting waiting) {
    this.flows = flows;
    this.waiting = waiting;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/runs", TokenScope.RUNS_READ, "List runs, newest first", this::list)
            .about(FlowSubject.LISTED)
            .query("flow", "A flow's name, or the beginning of names followed by *.")
            .query("key", "The key of a run.")
            .query(
                "status",
                "The status of the runs, several with commas between them, or 'retrying'.")
            .query("since", "Only runs created at this time or later.")
            .query("until", "Only runs created before this time.")
            .query("parent", "Only children of this run.")
            .query("keyPrefix", "Only runs whose key begins with this.")
            .query("label", "Only runs of flows that have this label now.")
            .query("retryable", "With true, only failed runs that another try may help.")
            .query("error", "Only runs that failed with this code.")
            .query("duplicates", "With true, only runs that have stopped a duplicate.")
            .query("search.*", "Only runs whose searchable field of this name has this value.")
            .query("draft", "With true, lists runs of drafts instead.")
            .query(PAYLOADS, PREVIEW_SAYS)
            .givesPage(RunView.class),
        Route.get("/api/runs/{id}", TokenScope.RUNS_READ, "Get a run", Runs::get)
            .about(OF_RUN)
            .query(PAYLOADS, PREVIEW_SAYS)
            .gives(200, RunView.class),
        Route.get(
                "/api/runs/{id}/history",
                TokenScope.RUNS_READ,
                "Get the history of a run: what happened, and why",
                Runs::history)
            .about(OF_RUN)
            .givesPage(HistoryView.class),
        Route.get(
                "/api/runs/{id}/waits",
                TokenScope.RUNS_READ,
                "Get what a run waits for now, and which runs it waits for",
                Runs::waits)
            .about(OF_RUN)
            .givesPage(RunWaitView.class),
        Route.get(
                "/api/runs/{id}/duplicates",
                TokenScope.RUNS_READ,
                "Get the last 20 duplicates that this run has stopped, newest first",
                Runs::duplicates)
            .about(OF_RUN)
            .givesPage(DuplicateView.class),
        Route.post(
                "/api/runs/{id}/cancel",
                TokenScope.RUNS_WRITE,
                "Cancel a run; attempts in flight are settled first",
                Runs::cancel)
            .about(OF_RUN)
            .takes(CancelBody.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/retry",
                TokenScope.RUNS_WRITE,
                "Retry what failed, with a corrected input if one is given",
                this::retry)
            .about(OF_RUN)
            .takes(RetryBody.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/try-now",
                TokenScope.RUNS_WRITE,
                "Let a run that waits for its next attempts make them now",
                Runs::tryNow)
            .about(OF_RUN)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/resume",
                TokenScope.RUNS_WRITE,
                "Let a quarantined run continue",
                Runs::resume)
            .about(OF_RUN)
            .takes(ResumeBody.class)
            .gives(200, RunView.class),
        Route.post(
                "/api/runs/{id}/steps/{step}/settle",
                TokenScope.EFFECTS_SETTLE,
                "Record the result of a failed step by hand, and continue",
                Runs::settleStep)
            .about(OF_RUN)
            .takes(StepBody.class)
            .gives(200, RunView.class),
        Route.delete(
                "/api/flows/{flow}/keys/{+key}",
                TokenScope.ADMIN,
                "Forget the key of a run that has ended, but not its effects",
                this::forget)
            .about(FlowSubject.IN_PATH)
            .query("reason", "Why; the history records it.")
            .takes(ForgetBody.class)
            .gives(204, Void.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery(
        "flow",
        "key",
        "status",
        "since",
        "until",
        "parent",
        "keyPrefix",
        "label",
        "retryable",
        "error",
        "duplicates",
        "search.*",
        "limit",
        "after",
        PAYLOADS,
        Space.DRAFT);
    boolean isPreview = isPreview(call);
    int limit = call.limit();
    Instant since = time(call, "since");
    boolean isRetrying = RetryingRuns.WORD.equals(call.query("status"));
    boolean asksPerson = RunStatus.REVIEW.word().equals(call.query("status"));
    Predicate<Run> notBefore = run -> since == null || !run.createdAt().isBefore(since);
    var filter =
        new RunFilter(
            call.actor().tenant(),
            flow(call),
            call.query("key"),
            statuses(call.query("status")),
            parent(call),
            before(Cursor.after(call), time(call, "until")),
            null,
            search(call),
            limit + 1);
    if (call.query("label") != null && filter.search().flows().isEmpty()) {
      return RouteAnswer.ok(new Page<RunView>(List.of(), null));
    }
    if (isRetrying) {
      return RouteAnswer.ok(
          RetryingRuns.page(
              Space.of(call),
              filter,
              limit,
              notBefore.and(run -> call.mayUse(run.flow())),
              isPreview));
    }
    Hapax hapax = Space.of(call);
    var rows =
        new PageRows<Run>(
            (before, most) ->
                hapax.runs((before == null ? filter : filter.before(before)).limit(most)).stream()
                    .filter(notBefore)
                    .toList(),
            Run::number,
            Runs::bytes);
    return RouteAnswer.ok(
        rows.page(
            null,
            limit,
            run -> call.mayUse(run.flow()) && (!asksPerson || hapax.isInReview(run)),
            run -> isPreview ? row(hapax, run).preview() : row(hapax, run),
            run -> Cursor.of(run.number())));
  }

  /** Whether the caller wants sizes in place of large values. */
  private static boolean isPreview(Call call) {
    String wanted = call.query(PAYLOADS);
    if (wanted != null && !wanted.equals("preview")) {
      throw Problem.invalidInput(
          "payloads: expected preview, or nothing for whole values, got '%s'".formatted(wanted));
    }
    return wanted != null;
  }

  private RunSearch search(Call call) {
    String prefix = call.query("keyPrefix");
    String label = call.query("label");
    Map<String, String> fields = call.queries("search.");
    refuseBadFields(fields);
    return RunSearch.NONE
        .fields(fields)
        .key(prefix == null ? null : TextMatch.beginningWith(prefix))
        .flows(label == null ? Set.of() : flows.labelled(call.actor().tenant(), label))
        .retryable(call.query("retryable") == null ? null : (Boolean) call.flag("retryable"))
        .error(call.query("error"))
        .duplicates(call.flag("duplicates"));
  }

  private static void refuseBadFields(Map<String, String> fields) {
    if (fields.size() > SearchFields.MOST) {
      throw Problem.invalidInput(
          "search: expected at most %d fields, got %d".formatted(SearchFields.MOST, fields.size()));
    }
    for (String name : fields.keySet()) {
      try {
        Names.searchField(name);
      } catch (IllegalArgumentException e) {
        throw Problem.invalidInput("search.%s: %s".formatted(name, e.getMessage()));
      }
    }
  }

  /** A token for one flow, or one beginning of names, gets full pages without asking for it. */
  private static @Nullable String flow(Call call) {
    String asked = call.query("flow");
    return asked == null ? call.actor().flows().onlyName() : asked;
  }

  /** About how many bytes of a run a list shows. */
  static long bytes(Run run) {
    String output = run.output();
    return (long) run.input().length() + (output == null ? 0 : output.length());
  }

  /** Numbers of runs are in the order of time, so a time is a place in the list. */
  private static @Nullable Long before(@Nullable Long cursor, @Nullable Instant until) {
    if (until == null) {
      return cursor;
    }
    long number = IdSource.firstAt(inRange(until));
    return cursor == null ? number : Math.min(cursor, number);
  }

  /** Numbers reach no further than these times. */
  static Instant inRange(Instant time) {
    return time.isAfter(LAST) ? LAST : time.isBefore(FIRST) ? FIRST : time;
  }

  private static @Nullable Long parent(Call call) {
    String parent = call.query("parent");
    if (parent == null) {
      return null;
    }
    return visible(call, parent).number();
  }

  /** Returns the run that a query names; one of a flow that the token may not use is not found. */
  static Run visible(Call call, String id) {
    Run found = run(Space.of(call), id);
    if (!call.mayUse(found.flow())) {
      throw Problem.notFound("there is no run '%s'".formatted(id));
    }
    return found;
  }

  static @Nullable Instant time(Call call, String name) {
    String given = call.query(name);
    try {
      return given == null ? null : OffsetDateTime.parse(given).toInstant();
    } catch (DateTimeParseException e) {
      throw Problem.invalidInput(
          "%s: expected a time such as 2026-11-15T10:00:00Z, got '%s'".formatted(name, given));
    }
  }

  private static Set<RunStatus> statuses(@Nullable String word) {
    if (word == null || word.equals(RetryingRuns.WORD)) {
      return Set.of();
    }
    if (word.equals(RunStatus.REVIEW.word())) {
      return MAY_BE_IN_REVIEW;
    }
    Set<RunStatus> wanted = EnumSet.noneOf(RunStatus.class);
    for (String one : word.split(",", -1)) {
      RunStatus status = status(one);
      if (status == RunStatus.REVIEW) {
        throw Problem.invalidInput(
            "status: review and %s cannot be listed together with others, got '%s'; ask for each by itself"
                .formatted(RetryingRuns.WORD, word));
      }
      wanted.add(status);
    }
    return wanted;
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

  private static RouteAnswer get(Call call) {
    boolean isPreview = isPreview(call);
    Hapax hapax = hapax(call);
    Run run = run(hapax, call.path("id"));
    RunView whole = DraftSends.in(view(hapax, run), call, hapax, run);
    return RouteAnswer.ok(isPreview ? whole.preview() : whole);
  }

  /** Returns the engine that has the run of this call. */
  private static Hapax hapax(Call call) {
    return Space.of(call, call.path("id"));
  }

  private static RouteAnswer answer(Hapax hapax, String id) {
    Run run = run(hapax, id);
    return RouteAnswer.ok(view(hapax, run));
  }

  static RunView view(Hapax hapax, Run run) {
    return RunView.of(run, outputOf(hapax, run), hapax.isCodeMissing(run), hapax.failureClass(run));
  }

  /** Returns the run as a list shows it: a large output is a reference. */
  static RunView row(Hapax hapax, Run run) {
    return RunView.of(run, run.output(), hapax.isCodeMissing(run), hapax.failureClass(run));
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

  private static RouteAnswer history(Call call) {
    call.allowQuery("limit", "after", Space.DRAFT);
    Long after = Cursor.after(call);
    int limit = call.query("limit") == null ? WHOLE_PAGE : call.limit();
    Hapax hapax = hapax(call);
    run(hapax, call.path("id"));
    HistoryPage found = hapax.history(call.path("id"), after == null ? 0 : after, limit);
    List<HistoryEntry> entries = found.entries();
    return RouteAnswer.ok(
        new Page<>(
            entries.stream().map(HistoryView::of).toList(),
            found.hasMore() ? Cursor.of(entries.getLast().seq()) : null));
  }

  private static RouteAnswer waits(Call call) {
    call.allowQuery("limit", "after", Space.DRAFT);
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    return RouteAnswer.ok(
        ShortList.of(
            call,
            hapax.waitsOf(id).stream().map(wait -> RunWaitView.of(wait, call::mayUse)).toList()));
  }

  private static RouteAnswer duplicates(Call call) {
    call.allowQuery("limit", "after", Space.DRAFT);
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    return RouteAnswer.ok(
        ShortList.of(call, hapax.duplicatesOf(id).stream().map(DuplicateView::of).toList()));
  }

  private record CancelBody(@Nullable Boolean compensate, @Nullable String reason) {}

  private static RouteAnswer cancel(Call call) {
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

  private static RouteAnswer tryNow(Call call) {
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    hapax.tryNow(id, call.actor().name());
    return answer(hapax, id);
  }

  private record ResumeBody(@Nullable String reason) {}

  private static RouteAnswer resume(Call call) {
    ResumeBody body = call.jsonOrEmpty(ResumeBody.class);
    Hapax hapax = hapax(call);
    String id = run(hapax, call.path("id")).id().toString();
    hapax.resume(id, call.actor().name(), body.reason());
    return answer(hapax, id);
  }

  private record RetryBody(@Nullable JsonNode input) {}

  private RouteAnswer retry(Call call) {
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
          "this server does not have release %d of flow '%s', so it cannot check a corrected input. Retry without one."
              .formatted(run.release(), run.flow()));
    }
    return flow;
  }

  private record StepBody(
      @Nullable JsonNode output, @Nullable String reason, @Nullable String item) {}

  private static RouteAnswer settleStep(Call call) {
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

  private RouteAnswer forget(Call call) {
    String inQuery = call.query("reason");
    String reason = inQuery != null ? inQuery : call.jsonOrEmpty(ForgetBody.class).reason();
    String name = call.path("flow");
    Startable flow = flows.lastLive(call.actor().tenant(), name);
    if (flow == null) {
      throw Problem.notFound("there is no live release of a flow '%s'".formatted(name));
    }
    call.hapax()
        .forget(flow.flow(), call.path("key"), call.actor().name(), needed("reason", reason));
    return RouteAnswer.noContent();
  }

  /** Refuses a missing value that a person's decision needs: it stays in the history. */
  static String needed(String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw Problem.invalidInput(
          "%s: expected a text for the history, got nothing".formatted(name));
    }
    return value;
  }
}
