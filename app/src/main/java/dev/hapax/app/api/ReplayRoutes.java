package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.JobRequest;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.JobView;
import dev.hapax.app.wire.ReplayView;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan.Decision;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Replays of runs: a plan first, and then exactly that. A plan is a job, so that many runs are
 * replayed at a rate and go on after a restart; of a few runs it is complete at once.
 */
public final class ReplayRoutes {
  private static final String KIND = "replay";

  /** A plan of so many runs is in the answer; a longer list is planned by the job. */
  private static final int AT_ONCE = 100;

  private final JobFilters filters;
  private final JobTerms terms;
  private final ReplayWishes wishes;

  public ReplayRoutes(StartableFlows flows) {
    this.filters = new JobFilters(flows);
    this.terms = new JobTerms(flows);
    this.wishes = new ReplayWishes(flows);
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/replays",
                TokenScope.RUNS_WRITE,
                "Plan the replay of runs that have ended, or do what a plan says",
                this::replay)
            .about(FlowSubject.LISTED)
            .takes(ReplayBody.class)
            .gives(200, ReplayView.class)
            .gives(202, JobView.class, ReplayView.class),
        Route.get(
                "/api/replays/{plan}",
                TokenScope.RUNS_READ,
                "Get a plan of a replay, with the next page of its effects",
                this::show)
            .about(FlowSubject.LISTED)
            .query(
                "decision", "Only effects with this decision: keep, reuse, send, doubt or changed.")
            .query("result", "Only runs in this state: open, doing, done, failed or skipped.")
            .paged()
            .gives(200, ReplayView.class));
  }

  /**
   * What to replay, and how; or the plan to apply.
   *
   * @param runs their ids
   * @param filter selects runs instead, as in a job
   * @param rate the most runs in a second
   * @param reason which the histories keep
   */
  private record ReplayBody(
      @Nullable List<String> runs,
      @Nullable JobSelection filter,
      @Nullable JsonNode fromStep,
      @Nullable JsonNode release,
      @Nullable JsonNode input,
      @Nullable Map<String, JsonNode> outputs,
      @Nullable List<String> ask,
      @Nullable List<ReplayWishes.ForceBody> force,
      @Nullable Boolean plan,
      @Nullable String apply,
      @Nullable Integer rate,
      @Nullable String reason) {
    ReplayWishes.Wanted wanted() {
      return new ReplayWishes.Wanted(fromStep, release, input, outputs, ask, force);
    }
  }

  private RouteAnswer replay(Call call) {
    ReplayBody body = call.json(ReplayBody.class);
    String apply = body.apply();
    if (apply != null) {
      return apply(call, apply, body);
    }
    if (!Boolean.TRUE.equals(body.plan())) {
      throw Problem.invalidInput(
          "plan: expected true to make a plan, or apply with the id of a plan. Nothing is replayed without a plan");
    }
    ReplayWishes.refuseNulls("runs", body.runs());
    List<String> runs = body.runs() == null ? List.of() : body.runs().stream().distinct().toList();
    if (runs.isEmpty() == (body.filter() == null)) {
      throw Problem.invalidInput(
          "expected either runs with the ids of runs, or a filter that selects runs");
    }
    return runs.isEmpty() || runs.size() > AT_ONCE
        ? planned(call, body, runs)
        : plannedAtOnce(call, body, runs);
  }

  /** The job finds and plans the runs. */
  private RouteAnswer planned(Call call, ReplayBody body, List<String> runs) {
    JobSelection selection =
        runs.isEmpty() ? filters.of(call, body.filter()) : JobSelection.of(runs);
    Hapax hapax = Space.of(call);
    JobRequest request = wishes.with(request(call, body, selection), body.wanted());
    terms.refuseOthers(call, KIND, Json.write(request.spec()));
    Job job = hapax.jobs().plan(request);
    return RouteAnswer.of(202, page(call, hapax, job))
        .header("Location", "/api/replays/" + job.id());
  }

  /** A mistake in a short list is answered now, and not as the result of a job. */
  private RouteAnswer plannedAtOnce(Call call, ReplayBody body, List<String> runs) {
    Hapax hapax = Space.of(call, runs.getFirst());
    for (String id : runs) {
      if (Space.of(call, id) != hapax) {
        throw Problem.invalidInput(
            "runs: runs of drafts and other runs need plans of their own; %s and %s are of both kinds"
                .formatted(runs.getFirst(), id));
      }
      var _ = seen(call, hapax, id);
    }
    JobRequest request = request(call, body, JobSelection.of(runs));
    if (runs.size() == 1) {
      Run run = seen(call, hapax, runs.getFirst());
      var wish = wishes.of(body.wanted(), run);
      request = request.with("wish", wish);
      terms.refuseOthers(call, KIND, Json.write(request.spec()));
      var _ = hapax.replays().plan(run.id().toString(), wish);
    } else {
      request = wishes.with(request, body.wanted());
      terms.refuseOthers(call, KIND, Json.write(request.spec()));
    }
    Job job = hapax.jobs().planNow(request);
    if (job.items() > 0 && job.skipped() == job.items()) {
      PlannedReplay first = hapax.replays().planned(job.id(), null, 0, 1).getFirst();
      throw new NotPossible(String.valueOf(first.problem()));
    }
    return RouteAnswer.ok(page(call, hapax, job));
  }

  private JobRequest request(Call call, ReplayBody body, JobSelection selection) {
    JobRequest request =
        JobRequest.of(KIND, selection, call.actor().name()).key(call.header("Idempotency-Key"));
    request = body.rate() == null ? request : request.rate(body.rate());
    request = body.reason() == null ? request : request.with("reason", body.reason());
    List<String> within = terms.within(call.actor());
    return within == null ? request : request.within(within);
  }

  private static Run seen(Call call, Hapax hapax, String id) {
    Run run = Runs.run(hapax, id);
    if (!call.mayUse(run.flow())) {
      throw Problem.notFound("there is no run '%s'".formatted(id));
    }
    return run;
  }

  // ---- plans

  private static Job visible(Call call, Hapax hapax, String plan) {
    Job job = hapax.jobs().job(plan);
    if (!job.kind().equals(KIND) || !JobTerms.maySee(call, job)) {
      throw Problem.notFound(
          "there is no plan '%s'. A plan is kept for 30 days: make a new one".formatted(plan));
    }
    return job;
  }

  private RouteAnswer show(Call call) {
    call.allowQuery("limit", "after", "decision", "result", Space.DRAFT);
    String plan = call.path("plan");
    Hapax hapax = Space.ofJob(call, plan);
    return RouteAnswer.ok(page(call, hapax, visible(call, hapax, plan)));
  }

  /** Requests are shown only to those who may see effects. */
  private static ReplayView page(Call call, Hapax hapax, Job job) {
    JobItemState state = JobFilters.state(call.query("result"));
    return ReplayView.of(
        job,
        (after, limit) -> hapax.replays().planned(job.id(), state, after, limit),
        Cursor.after(call),
        call.query("limit") == null ? ReplayView.PAGE : call.limit(),
        decision(call.query("decision")),
        call.actor().may(TokenScope.EFFECTS_READ),
        Cursor::of);
  }

  private static @Nullable Decision decision(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(Decision.values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "decision: expected one of %s, got '%s'"
                        .formatted(
                            Arrays.stream(Decision.values()).map(Decision::word).toList(), word)));
  }

  private RouteAnswer apply(Call call, String plan, ReplayBody body) {
    if (body.runs() != null
        || body.filter() != null
        || body.plan() != null
        || !body.wanted().isNothing()) {
      throw Problem.invalidInput(
          "apply: a plan is applied as it is; leave out everything but rate and reason");
    }
    Hapax hapax = Space.ofJob(call, plan);
    Job job = visible(call, hapax, plan);
    terms.refuseOthers(call, KIND, job.spec());
    if (job.state() == JobState.PLANNING) {
      throw new NotPossible(
          "plan %s is not complete yet: it has %,d runs so far. Wait until its state is planned"
              .formatted(plan, job.items()));
    }
    Job begun = hapax.jobs().apply(plan, call.actor().name(), body.rate(), body.reason());
    return RouteAnswer.of(202, JobView.of(begun)).header("Location", "/api/jobs/" + begun.id());
  }
}
