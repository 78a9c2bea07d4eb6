package dev.hapax.job;

import dev.hapax.engine.control.RunControl;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Store;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Retries failed runs. A run that is no longer failed is skipped. */
public final class RetryJob implements JobKind {
  private static final String NAME = "retry";
  private static final Set<RunStatus> FAILED = Set.of(RunStatus.FAILED, RunStatus.PARTIAL);

  private final Store store;
  private final RunControl control;

  public RetryJob(Store store, RunControl control) {
    this.store = store;
    this.control = control;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(String tenant, String spec) {
    RunPages.check(NAME, JobSpec.read(spec).filter(), FAILED);
  }

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    return pages(job)
        .page(place, limit, run -> new Selected(run.id().toString(), run.flow(), run.key()));
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    Run run = pages(job).find(item.subject());
    if (run == null) {
      throw new NotFound("there is no run " + item.subject());
    }
    control.retry(run.id(), job.actor(), null);
    return Outcome.DONE;
  }

  private RunPages pages(Job job) {
    return new RunPages(store, job.tenant(), JobSpec.read(job.spec()), FAILED);
  }
}
