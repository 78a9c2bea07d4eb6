package dev.hapax.job;

import dev.hapax.engine.control.RunControl;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Text;
import dev.hapax.store.Store;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Cancels runs that have not ended. */
public final class CancelJob implements JobKind {
  private static final String NAME = "cancel";
  private static final Set<RunStatus> OPEN =
      Arrays.stream(RunStatus.values())
          .filter(status -> !status.isEnd())
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(RunStatus.class)));

  private final Store store;
  private final RunControl control;

  public CancelJob(Store store, RunControl control) {
    this.store = store;
    this.control = control;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSpec read = JobSpec.read(spec);
    RunPages.check(NAME, read.filter(), OPEN);
    String reason = read.reason();
    if (reason != null && !Text.isStorable(reason)) {
      throw new IllegalArgumentException("reason: expected at most 10,000 characters without NUL");
    }
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
    JobSpec spec = JobSpec.read(job.spec());
    boolean compensate = Boolean.TRUE.equals(spec.compensate());
    control.cancel(run.id(), new Run.Cancel(job.actor(), spec.reason(), compensate));
    return Outcome.DONE;
  }

  private RunPages pages(Job job) {
    return new RunPages(store, job.tenant(), JobSpec.read(job.spec()), OPEN);
  }
}
