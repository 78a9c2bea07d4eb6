package dev.hapax;

import dev.hapax.engine.control.ReplayControl;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.LiveReleases;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunId;
import dev.hapax.job.ReplayJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays of runs that have ended. A plan says for each effect what would happen, and nothing else
 * is sent.
 *
 * <pre>{@code
 * ReplayPlan plan = hapax.replays().plan(run, ReplayWish.from("invoice"));
 * hapax.replays().apply(plan, "anna", "the price was wrong");
 * }</pre>
 *
 * <p>Many runs are replayed by a job: {@link JobRequest#replay}.
 */
public final class Replays {
  private final ReplayControl control;
  private final Hapax hapax;
  private final ReplayJob job;

  Replays(ReplayControl control, Hapax hapax, ReplayJob job) {
    this.control = control;
    this.hapax = hapax;
    this.job = job;
  }

  /** Sets which releases are live, for all tenants: jobs with {@code release: live} use them. */
  public void liveReleases(LiveReleases releases) {
    hapax.refuseInPart("the jobs of all tenants");
    job.live(releases);
  }

  /**
   * Says what the replay of a run would do with each of its effects; sends and writes nothing.
   *
   * @throws dev.hapax.flow.NotPossible if the run cannot be replayed; the message says what to do
   */
  public ReplayPlan plan(String runId, ReplayWish wish) {
    return control.plan(toReplay(runId), wish);
  }

  /**
   * Does exactly what the plan says: the run goes on under its id and key. A send that the plan
   * does not have stops the run with {@code plan-stale}.
   *
   * @param reason which the history keeps
   * @throws dev.hapax.flow.StalePlan if the run or one of the effects has changed since
   */
  public void apply(ReplayPlan plan, String actor, @Nullable String reason) {
    control.apply(toReplay(plan.run()), plan, actor, reason);
  }

  /**
   * Returns what a plan of many runs says about each of them, in their order. {@link
   * JobRequest#replay} makes such a plan.
   *
   * @param plan the id of the job
   * @param state only runs in this state; null for all
   * @param after only those behind this position; 0 for the first page
   */
  public List<PlannedReplay> planned(
      String plan, @Nullable JobItemState state, long after, int limit) {
    return hapax.jobs().items(plan, state, after, limit).stream().map(ReplayJob::planned).toList();
  }

  private RunId toReplay(String id) {
    try {
      return hapax.run(id).id();
    } catch (KeyExpired e) {
      throw control.gone(RunId.parse(id)); // the words of a start would not help
    }
  }
}
