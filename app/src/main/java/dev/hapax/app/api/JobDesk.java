package dev.hapax.app.api;

import dev.hapax.JobRequest;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.JobView;
import dev.hapax.app.wire.Page;
import dev.hapax.app.wire.ReplayView;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.Reviewed;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Jobs as routes: work on many runs, effects or events, with a plan, a rate and results. */
public final class JobDesk {
  private final JobFilters filters;
  private final JobTerms terms;
  private final ReplayWishes wishes;
  private final Function<Call, JobView> reconciliation;
  private final Function<Call, JobView> endReconciliation;

  /**
   * @param reconciliation a reconciliation as a job: it is a run, whose id begins with r-
   * @param endReconciliation cancels it
   */
  public JobDesk(
      StartableFlows flows,
      Function<Call, JobView> reconciliation,
      Function<Call, JobView> endReconciliation) {
    this.reconciliation = reconciliation;
    this.endReconciliation = endReconciliation;
    this.filters = new JobFilters(flows);
    this.terms = new JobTerms(flows);
    this.wishes = new ReplayWishes(flows);
  }

  /** Returns its routes. A caller needs the scope of what the job does to each item, too. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/jobs", TokenScope.RUNS_READ, "List jobs, newest first", JobDesk::list)
            .about(FlowSubject.LISTED)
            .query("kind", "Only jobs of this kind, such as replay.")
            .givesPage(JobView.class),
        Route.post(
                "/api/jobs",
                TokenScope.RUNS_READ,
                "Begin a job on many runs, effects or events, plan one, or apply a plan",
                this::begin)
            .about(FlowSubject.LISTED)
            .takes(JobBody.class)
            .gives(202, JobView.class),
        Route.get("/api/jobs/{id}", TokenScope.RUNS_READ, "Get a job and its results", this::get)
            .about(FlowSubject.LISTED)
            .query("result", "Only items in this state: open, doing, done, failed or skipped.")
            .paged()
            .gives(200, JobView.class),
        Route.post(
                "/api/jobs/{id}/pause",
                TokenScope.RUNS_READ,
                "Pause a job; at most the item under way is still done",
                this::pause)
            .about(FlowSubject.LISTED)
            .gives(200, JobView.class),
        Route.post(
                "/api/jobs/{id}/resume",
                TokenScope.RUNS_READ,
                "Let a paused job go on, with another rate if one is given",
                this::resume)
            .about(FlowSubject.LISTED)
            .takes(ResumeBody.class)
            .gives(200, JobView.class),
        Route.post(
                "/api/jobs/{id}/cancel",
                TokenScope.RUNS_READ,
                "End a job; what it has done stays done",
                this::cancel)
            .about(FlowSubject.LISTED)
            .gives(200, JobView.class));
  }

  private static RouteAnswer list(Call call) {
    call.allowQuery("limit", "after", "kind");
    int limit = call.limit();
    List<Job> found = newest(call, call.query("kind"), call.query("after"), limit + 1);
    return RouteAnswer.ok(
        Page.of(found, limit, job -> JobTerms.maySee(call, job), JobView::of, Job::id));
  }

  /** Reads on while jobs of other kinds fill the list. */
  private static List<Job> newest(
      Call call, @Nullable String kind, @Nullable String after, int most) {
    List<Job> found = new ArrayList<>();
    String before = after;
    List<Job> part;
    do {
      part = call.hapax().jobs().list(before, most);
      part.stream().filter(job -> kind == null || job.kind().equals(kind)).forEach(found::add);
      before = part.isEmpty() ? before : part.getLast().id();
    } while (found.size() < most && part.size() == most);
    return found.subList(0, Math.min(most, found.size()));
  }

  /**
   * What to do, and to what; or the plan to apply.
   *
   * @param plan true to select the items, and act only when the plan is applied
   */
  private record JobBody(
      @Nullable String apply,
      @Nullable String kind,
      @Nullable JobSelection filter,
      @Nullable Boolean plan,
      @Nullable Integer rate,
      @Nullable String reason,
      @Nullable Boolean compensate,
      @Nullable Boolean adopt,
      @Nullable Boolean repair,
      @Nullable String decision,
      @Nullable JsonNode result,
      @Nullable Map<String, @Nullable Reviewed> seen,
      @Nullable JsonNode fromStep,
      @Nullable JsonNode release,
      @Nullable JsonNode input,
      @Nullable Map<String, JsonNode> outputs,
      @Nullable List<String> ask,
      @Nullable List<ReplayWishes.ForceBody> force) {
    ReplayWishes.Wanted wanted() {
      return new ReplayWishes.Wanted(fromStep, release, input, outputs, ask, force);
    }
  }

  private RouteAnswer begin(Call call) {
    JobBody body = call.json(JobBody.class);
    String plan = body.apply();
    if (plan != null) {
      refuseBeside(body);
      act(call, plan);
      return accepted(
          call.hapax().jobs().apply(plan, call.actor().name(), body.rate(), body.reason()));
    }
    String kind = Runs.needed("kind", body.kind());
    JobRequest request = request(call, kind, body);
    terms.refuseOthers(call, kind, Json.write(request.spec()));
    boolean isPlan = Boolean.TRUE.equals(body.plan());
    return accepted(
        isPlan ? call.hapax().jobs().plan(request) : call.hapax().jobs().start(request));
  }

  private static void refuseBeside(JobBody body) {
    if (body.kind() != null
        || body.filter() != null
        || body.plan() != null
        || body.adopt() != null
        || body.repair() != null
        || body.compensate() != null
        || body.decision() != null
        || isGiven(body.result())
        || body.seen() != null
        || !body.wanted().isNothing()) {
      throw Problem.invalidInput(
          "apply: a plan is applied as it is; only rate and reason can be given with it");
    }
  }

  private static RouteAnswer accepted(Job job) {
    return RouteAnswer.of(202, JobView.of(job)).header("Location", "/api/jobs/" + job.id());
  }

  private JobRequest request(Call call, String kind, JobBody body) {
    JobRequest request =
        JobRequest.of(kind, filters.of(call, body.filter()), call.actor().name())
            .key(call.header("Idempotency-Key"));
    if (body.rate() != null) {
      request = request.rate(body.rate());
    }
    if (kind.equals("replay")) {
      request = wishes.with(request, body.wanted());
    } else if (!body.wanted().isNothing()) {
      throw Problem.invalidInput(
          "fromStep, release, input, outputs, ask and force are for jobs of kind 'replay', not '%s'"
              .formatted(kind));
    }
    refuseOfOthers(kind, body);
    if (!kind.equals("reconcile") && (body.adopt() != null || body.repair() != null)) {
      throw Problem.invalidInput(
          "adopt and repair are for jobs of kind 'reconcile', not '%s'".formatted(kind));
    }
    for (Map.Entry<String, Object> member : members(body).entrySet()) {
      request = request.with(member.getKey(), member.getValue());
    }
    List<String> within = terms.within(call.actor());
    return within == null ? request : request.within(within);
  }

  /** What a kind does not know must not be left out in silence. */
  private static void refuseOfOthers(String kind, JobBody body) {
    boolean settles = kind.equals("settle");
    if (!settles && (body.decision() != null || isGiven(body.result()) || body.seen() != null)) {
      throw Problem.invalidInput(
          "decision, result and seen are for jobs of kind 'settle', not '%s'".formatted(kind));
    }
    if (!settles && !kind.equals("cancel") && body.compensate() != null) {
      throw Problem.invalidInput(
          "compensate is for jobs of kind 'cancel' and 'settle', not '%s'".formatted(kind));
    }
    Map<String, @Nullable Reviewed> seen = body.seen();
    if (seen != null && !seen.values().stream().allMatch(JobDesk::isWhole)) {
      throw Problem.invalidInput(
          "seen: expected revision and attempt of each effect, as you saw them");
    }
  }

  private static boolean isGiven(@Nullable JsonNode value) {
    return value != null && !value.isNull();
  }

  private static boolean isWhole(@Nullable Reviewed seen) {
    return seen != null && seen.revision() != null && seen.attempt() != null;
  }

  private static Map<String, Object> members(JobBody body) {
    var members = new TreeMap<String, Object>();
    put(members, "reason", body.reason());
    put(members, "compensate", body.compensate());
    put(members, "adopt", body.adopt());
    put(members, "repair", body.repair());
    put(members, "decision", body.decision());
    put(members, "result", isGiven(body.result()) ? body.result() : null);
    put(members, "seen", body.seen());
    return members;
  }

  private static void put(Map<String, Object> members, String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
  }

  private RouteAnswer get(Call call) {
    call.allowQuery("result", "limit", "after");
    if (isReconciliation(call)) {
      return RouteAnswer.ok(reconciliation.apply(call));
    }
    int limit = call.limit();
    Job job = visible(call, call.path("id"));
    Long after = Cursor.after(call);
    List<JobItem> found =
        call.hapax()
            .jobs()
            .items(
                job.id(),
                JobFilters.state(call.query("result")),
                after == null ? 0 : after,
                limit + 1);
    Page<JobView.Result> page =
        Page.of(found, limit, item -> result(call, job, item), item -> Cursor.of(item.position()));
    return RouteAnswer.ok(JobView.of(job, page.items(), page.next()));
  }

  /** Requests in plans of replays are shown only to those who may see effects. */
  private static JobView.Result result(Call call, Job job, JobItem item) {
    return job.kind().equals("replay")
        ? ReplayView.result(item, call.actor().may(TokenScope.EFFECTS_READ))
        : JobView.Result.of(item);
  }

  private static boolean isReconciliation(Call call) {
    return call.path("id").startsWith("r-");
  }

  private static void refusePause(Call call) {
    if (isReconciliation(call)) {
      throw Problem.notPossible(
          "a reconciliation cannot be paused. Cancel it, and begin another one over the time that is"
              + " left, or with a lower rate");
    }
  }

  private RouteAnswer pause(Call call) {
    refusePause(call);
    return RouteAnswer.ok(JobView.of(call.hapax().jobs().pause(act(call, call.path("id")).id())));
  }

  private record ResumeBody(@Nullable Integer rate) {}

  private RouteAnswer resume(Call call) {
    refusePause(call);
    Integer rate = call.jsonOrEmpty(ResumeBody.class).rate();
    String id = act(call, call.path("id")).id();
    return RouteAnswer.ok(JobView.of(call.hapax().jobs().resume(id, rate)));
  }

  private RouteAnswer cancel(Call call) {
    if (isReconciliation(call)) {
      return RouteAnswer.ok(endReconciliation.apply(call));
    }
    return RouteAnswer.ok(JobView.of(call.hapax().jobs().cancel(act(call, call.path("id")).id())));
  }

  /** Returns a job on which the caller may act. */
  private Job act(Call call, String id) {
    Job job = visible(call, id);
    terms.refuseOthers(call, job.kind(), job.spec());
    return job;
  }

  private static Job visible(Call call, String id) {
    Job job = call.hapax().jobs().job(id);
    if (!JobTerms.maySee(call, job)) {
      throw Problem.notFound("there is no job " + id);
    }
    return job;
  }
}
