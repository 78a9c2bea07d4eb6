package dev.hapax.job;

import dev.hapax.engine.control.ReplayControl;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.LiveReleases;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StalePlan;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays runs that have ended, each exactly by its own plan. A run that cannot be replayed, or
 * whose plan has become stale, is skipped.
 */
public final class ReplayJob implements JobKind {
  /** The name of this kind. */
  public static final String NAME = "replay";

  private static final String LIVE = "live";
  private static final int MOST_FORCED = 100;
  private static final Set<RunStatus> ENDED =
      Set.of(RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.PARTIAL, RunStatus.CANCELED);

  private final Store store;
  private final ReplayControl control;
  private volatile @Nullable LiveReleases live;

  public ReplayJob(Store store, ReplayControl control) {
    this.store = store;
    this.control = control;
  }

  /** Sets what {@code release: live} means. */
  public void live(LiveReleases releases) {
    live = releases;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean needsPlan() {
    return true;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSpec read = JobSpec.read(spec);
    RunPages.check(NAME, read.filter(), ENDED);
    String reason = read.reason();
    if (reason != null && !Text.isStorable(reason)) {
      throw new IllegalArgumentException("reason: expected at most 10,000 characters without NUL");
    }
    ReplayWish wish = wish(read);
    String release = read.release();
    if (release != null && (!release.equals(LIVE) || live == null || wish.release() != null)) {
      throw new IllegalArgumentException(
          live == null
              ? "release: expected the number of a release; this engine knows no live one"
              : "release: expected a number, or 'live' for the live release");
    }
    if (wish.input() != null && !isOfOneRun(read)) {
      throw new IllegalArgumentException(
          "input: a corrected input keeps the key of its run, so it fits one run only. Plan this"
              + " run by its id");
    }
    if (wish.force().size() > MOST_FORCED) {
      throw new IllegalArgumentException(
          "force: expected at most %d effects, got %d".formatted(MOST_FORCED, wish.force().size()));
    }
    wish.force().forEach(force -> check(tenant, force));
  }

  private void check(String tenant, ReplayWish.Force force) {
    if (force.reason() == null || force.reason().isBlank() || !Text.isStorable(force.reason())) {
      throw new IllegalArgumentException("force: give a reason for effect " + force.effect());
    }
    EffectRecord effect = store.effect(EffectRecord.number(force.effect()));
    if (effect == null || !effect.key().tenant().equals(tenant)) {
      throw new IllegalArgumentException(
          "force: there is no effect %s. Read its id in the plan".formatted(force.effect()));
    }
  }

  private static ReplayWish wish(JobSpec spec) {
    ReplayWish wish = spec.wish();
    return wish == null ? ReplayWish.ALL : wish;
  }

  private static boolean isOfOneRun(JobSpec spec) {
    return RunPages.ids(spec.filter()).size() == 1;
  }

  /**
   * What is wanted of this run. An effect that is to be sent again belongs to one of many runs, and
   * the others have nothing to do with it.
   *
   * @param release of the plan; null if it is made now
   */
  private ReplayWish wish(JobSpec spec, Run run, @Nullable Integer release) {
    ReplayWish wish = wish(spec);
    if (!wish.force().isEmpty() && !isOfOneRun(spec)) {
      wish = wish.forcing(wish.force().stream().filter(one -> isOf(run, one)).toList());
    }
    if (spec.release() == null) {
      return wish;
    }
    LiveReleases releases = live;
    Integer number =
        release != null || releases == null ? release : releases.of(run.tenant(), run.flow());
    if (number == null) {
      throw new NotPossible(
          "flow '%s' has no live release. Promote one, or name a release".formatted(run.flow()));
    }
    return wish.onRelease(number);
  }

  /** After a restart a job may go on before the flows are registered: it waits for them. */
  private ReplayWish refuseEarly(Run run, ReplayWish wish) {
    if (control.awaitsCode(run, wish)) {
      throw new StoreUnavailable(
          "the code of flow '%s' is not registered yet; the job tries again".formatted(run.flow()),
          null);
    }
    return wish;
  }

  private boolean isOf(Run run, ReplayWish.Force force) {
    EffectRecord effect = store.effect(EffectRecord.number(force.effect()));
    return effect != null && effect.run() == run.number();
  }

  // ---- planning

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    JobSpec spec = JobSpec.read(job.spec());
    int share = Math.max(1, limit / Math.max(1, RunPages.ids(spec.filter()).size()));
    boolean isList = !RunPages.ids(spec.filter()).isEmpty();
    Page page = pages(job).pageOf(place, limit, runs -> planned(spec, runs, isList ? share : 1));
    return isList
        ? new Page(page.items().stream().map(item -> named(job, item)).toList(), page.next())
        : page;
  }

  /** A list may name runs that are not there, or that the job may not touch. */
  private Selected named(Job job, Selected item) {
    if (item.flow() != null) {
      return item;
    }
    RunId id = RunId.parse(item.subject());
    boolean mayKnow = JobSpec.read(job.spec()).within() == null && control.isOf(id, job.tenant());
    String problem = mayKnow ? Text.messageOf(control.gone(id)) : "there is no run " + id;
    return item.skipped(problem);
  }

  /** Few at first: how long their journals are shows only when they are read. */
  private List<Selected> planned(JobSpec spec, List<Run> runs, int share) {
    List<Selected> items = new ArrayList<>();
    var sizes = new PageSizes(runs.size());
    while (items.size() < runs.size()) {
      List<Run> some = runs.subList(items.size(), items.size() + sizes.next());
      ReplayControl.Planning planning = control.planning(some);
      items.addAll(planned(planning, spec, some, share));
      some.forEach(_ -> sizes.read(planning.bytes() / some.size()));
    }
    return items;
  }

  private List<Selected> planned(
      ReplayControl.Planning planning, JobSpec spec, List<Run> runs, int share) {
    List<Selected> items = new ArrayList<>();
    for (Run run : runs) {
      items.add(planned(planning, spec, run, share));
    }
    Set<Long> again = planning.misjudged();
    for (int i = 0; i < runs.size(); i++) {
      if (again.contains(runs.get(i).number())) {
        items.set(i, planned(planning, spec, runs.get(i), share));
      }
    }
    return items;
  }

  private Selected planned(ReplayControl.Planning planning, JobSpec spec, Run run, int share) {
    var item = new Selected(run.id().toString(), run.flow(), run.key());
    try {
      ReplayPlan plan = planning.plan(run, refuseEarly(run, wish(spec, run, null)));
      return item.detail(Json.write(ReplayDetail.of(plan, share))).counting(plan.totals().counts());
    } catch (RuntimeException e) {
      NoAnswer.passOn(e);
      return item.skipped(Text.messageOf(e));
    }
  }

  /** What people see of an item of a plan. */
  public static PlannedReplay planned(JobItem item) {
    return ReplayDetail.planned(item);
  }

  // ---- acts

  @Override
  public @Nullable String staleness(Job job, JobItem item) {
    try {
      Planned planned = planned(job, item);
      control.refuseStale(planned.run(), planned.plan());
      return null;
    } catch (NotPossible | NotFound e) {
      return Text.messageOf(e);
    }
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    JobSpec spec = JobSpec.read(job.spec());
    String reason = spec.applyReason() == null ? spec.reason() : spec.applyReason();
    Planned planned = planned(job, item);
    try {
      control.apply(planned.run(), planned.plan(), job.actor(), reason);
      return Outcome.DONE;
    } catch (StalePlan e) {
      return control.isReplayedBy(planned.run(), job.actor())
          ? Outcome.DONE
          : Outcome.skipped("stale: " + e.getMessage());
    } catch (NotPossible e) {
      if (control.isReplayedBy(planned.run(), job.actor())) {
        return Outcome.DONE; // the process ended before the result was recorded
      }
      throw e;
    }
  }

  /** A run, and the plan that its item keeps. */
  private record Planned(RunId run, ReplayControl.Kept plan) {}

  private Planned planned(Job job, JobItem item) {
    JobSpec spec = JobSpec.read(job.spec());
    RunId id = RunId.parse(item.subject());
    Run run = store.find(id);
    ReplayDetail detail = ReplayDetail.read(item.detail());
    boolean isOurs = run != null && run.tenant().equals(job.tenant()) && spec.allows(run.flow());
    if (detail == null || (run != null && !isOurs)) {
      throw new NotFound("there is no run " + item.subject());
    }
    if (run == null) {
      throw control.gone(id);
    }
    return new Planned(
        id,
        new ReplayControl.Kept(
            refuseEarly(run, wish(spec, run, detail.release())),
            detail.digest(),
            detail.effects(),
            detail.more() == 0));
  }

  private RunPages pages(Job job) {
    return new RunPages(store, job.tenant(), JobSpec.read(job.spec()), ENDED);
  }
}
