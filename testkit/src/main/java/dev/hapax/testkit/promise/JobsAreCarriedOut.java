package dev.hapax.testkit.promise;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.JobRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs: an accepted one ends unless a person must let it go on, each of its items has one result,
 * and its counts are those of the results.
 */
public final class JobsAreCarriedOut implements Promise {
  private static final int MOST = 10_000;

  /** Less than the engine keeps them: the clocks of nodes differ. */
  private static final Duration KEPT = Duration.ofDays(29);

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    List<JobRecord> jobs = evidence.store().jobs().list(evidence.tenant(), null, MOST);
    for (JobRecord job : jobs) {
      check(job, evidence.store().jobs().items(job.number(), null, 0, MOST), evidence, broken);
    }
    for (var begun : evidence.observed(Observation.JobBegun.class)) {
      boolean mayBeRemoved =
          evidence.runs().stream().anyMatch(run -> run.createdAt().isAfter(begun.at().plus(KEPT)));
      if (!mayBeRemoved && jobs.stream().noneMatch(job -> job.id().equals(begun.job()))) {
        broken.add("job %s was accepted, and is not there".formatted(begun.job()));
      }
    }
    return broken;
  }

  /** A person has canceled the run that works on it, and may let the job go on with another. */
  private static boolean isLeftToPeople(JobRecord job, Evidence evidence) {
    RunId turn = RunId.of(job.tenant(), "hapax/job", job.id() + "/" + job.turn(), null);
    Run run = evidence.store().find(turn);
    return run != null && run.status() == RunStatus.CANCELED;
  }

  private static void check(
      JobRecord job, List<JobItem> items, Evidence evidence, List<String> broken) {
    if (job.state().isAtWork() && !isLeftToPeople(job, evidence)) {
      broken.add("job %s is still %s".formatted(job.id(), job.state()));
    }
    if (items.size() != job.toJob().items()) {
      broken.add(
          "job %s says %s, but has %d items".formatted(job.id(), job.totals(), items.size()));
    }
    for (int i = 0; i < items.size(); i++) {
      JobItemState state = items.get(i).state();
      if (items.get(i).position() != i + 1L
          || (job.state() == JobState.DONE && !state.isEnd())
          || (job.state() == JobState.PLANNED && state != JobItemState.OPEN)) {
        broken.add("job %s is %s, but has %s".formatted(job.id(), job.state(), items.get(i)));
      }
    }
    counted(job, job.done(), items, JobItemState.DONE, broken);
    counted(job, job.failed(), items, JobItemState.FAILED, broken);
    counted(job, job.skipped(), items, JobItemState.SKIPPED, broken);
  }

  private static void counted(
      JobRecord job, long count, List<JobItem> items, JobItemState state, List<String> broken) {
    long found = items.stream().filter(item -> item.state() == state).count();
    if (found != count) {
      broken.add(
          "job %s counts %d as %s, but has %d".formatted(job.id(), count, state.word(), found));
    }
  }
}
