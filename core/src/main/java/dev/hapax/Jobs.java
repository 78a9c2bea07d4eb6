package dev.hapax;

import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.job.JobControl;
import dev.hapax.job.JobKinds;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work on many runs, effects or events: retry, cancel, settle, replay, redeliver. A job first
 * selects its items, and acts on exactly these. It keeps to its rate, can be paused, has a result
 * for each item, and goes on after a restart. Safe for many threads.
 */
public final class Jobs {
  private final Hapax hapax;
  private final Store store;
  private final JobControl control;
  private final JobKinds kinds;
  private final Redelivery redelivery;
  private final String tenant;

  Jobs(
      Hapax hapax,
      Store store,
      JobControl control,
      JobKinds kinds,
      Redelivery redelivery,
      String tenant) {
    this.hapax = hapax;
    this.store = store;
    this.control = control;
    this.kinds = kinds;
    this.redelivery = redelivery;
    this.tenant = tenant;
  }

  /** Adds a kind of jobs, for all tenants. Jobs of this kind that an earlier process left go on. */
  public void kind(JobKind kind) {
    hapax.refuseInPart("the jobs of all tenants");
    kinds.register(kind);
  }

  /** Sets what sources of events start that are not registered at the inbox, for all tenants. */
  public void eventSources(EventSources sources) {
    hapax.refuseInPart("the jobs of all tenants");
    redelivery.sources(sources);
  }

  /** Selects the items of a job, and acts on them only when a person applies it. */
  public Job plan(JobRequest request) {
    return begin(request, true);
  }

  /**
   * As above, and the plan is complete when this returns.
   *
   * @throws IllegalArgumentException if more than 100 items fit
   */
  public Job planNow(JobRequest request) {
    return control
        .planNow(
            tenant,
            request.kind(),
            request.specText(),
            request.rate(),
            request.actor(),
            request.key())
        .toJob();
  }

  /** Selects the items of a job, and then acts on them. */
  public Job start(JobRequest request) {
    return begin(request, false);
  }

  private Job begin(JobRequest request, boolean isPlan) {
    return control
        .begin(
            tenant,
            request.kind(),
            request.specText(),
            request.rate(),
            request.actor(),
            request.key(),
            isPlan)
        .toJob();
  }

  /**
   * Lets a plan act on the items that it has found. Applying it again changes nothing.
   *
   * @param rate another rate; null for that of the plan
   * @throws NotPossible if it is not complete, or was canceled
   */
  public Job apply(String id, String actor, @Nullable Integer rate) {
    return apply(id, actor, rate, null);
  }

  /**
   * As above, with a reason that the histories keep, if the kind records one.
   *
   * @throws dev.hapax.flow.StalePlan if the plan has at most 100 items, and none of them can be
   *     acted on any more
   */
  public Job apply(String id, String actor, @Nullable Integer rate, @Nullable String reason) {
    return control.apply(tenant, id, actor, rate, reason).toJob();
  }

  /** Stops a job for now. At most the item that it acts on is still done. */
  public Job pause(String id) {
    return control.pause(tenant, id).toJob();
  }

  /**
   * Lets a paused job go on.
   *
   * @param rate another rate, also for a job that is not paused; null to keep it
   */
  public Job resume(String id, @Nullable Integer rate) {
    return control.resume(tenant, id, rate).toJob();
  }

  /** Ends a job. What it has done stays done; its other items stay open. */
  public Job cancel(String id) {
    return control.cancel(tenant, id).toJob();
  }

  /**
   * Returns the job.
   *
   * @throws NotFound if there is none, or it has ended more than 30 days ago
   */
  public Job job(String id) {
    return control.existing(tenant, id).toJob();
  }

  /** Returns the newest jobs, the newest first. */
  public List<Job> list(int limit) {
    return list(null, limit);
  }

  /** As above, those that were created before this one; null for the newest. */
  public List<Job> list(@Nullable String before, int limit) {
    Long number = before == null ? null : (Long) control.existing(tenant, before).number();
    return store.jobs().list(tenant, number, limit).stream().map(JobRecord::toJob).toList();
  }

  /**
   * Returns the items of a job, in their order.
   *
   * @param state only those in this state; null for all
   * @param after only those behind this position; 0 for the first page
   */
  public List<JobItem> items(String id, @Nullable JobItemState state, long after, int limit) {
    return store.jobs().items(control.existing(tenant, id).number(), state, after, limit);
  }
}
