package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.job.ReplayJob;
import dev.hapax.run.JobRecord;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
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
      boolean mayBeRemoved = evidence.store().newestAt().isAfter(begun.at().plus(KEPT));
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
          || (job.state() == JobState.PLANNED && !isPlanned(job, state))) {
        broken.add("job %s is %s, but has %s".formatted(job.id(), job.state(), items.get(i)));
      }
    }
    for (JobItem item : items) {
      if (item.state() == JobItemState.DONE && !isFound(job, item, evidence)) {
        broken.add("job %s says that it did %s, and no journal has it".formatted(job.id(), item));
      }
    }
    counted(job, job.done(), items, JobItemState.DONE, broken);
    counted(job, job.failed(), items, JobItemState.FAILED, broken);
    counted(job, job.skipped(), items, JobItemState.SKIPPED, broken);
  }

  /** The plan of a replay has runs that cannot be replayed, with the reason. */
  private static boolean isPlanned(JobRecord job, JobItemState state) {
    return state == JobItemState.OPEN
        || (job.kind().equals(ReplayJob.NAME) && state == JobItemState.SKIPPED);
  }

  /** What a job has done is in the journal of its subject, by the person who began the job. */
  private static boolean isFound(JobRecord job, JobItem item, Evidence evidence) {
    return switch (job.kind()) {
      case "retry", "cancel", "replay" -> {
        Run run = evidence.runsById().get(item.subject());
        yield run == null
            || evidence.journal(run).stream()
                .anyMatch(line -> isBy(job.toJob().actor(), line.entry(), job.kind()));
      }
      case "settle" -> {
        EffectRecord row = evidence.store().effect(EffectRecord.number(item.subject()));
        yield row == null
            || evidence.runs().stream()
                .flatMap(run -> evidence.journal(run).stream())
                .anyMatch(line -> isBy(job.toJob().actor(), line.entry(), job.kind()));
      }
      default -> true;
    };
  }

  private static boolean isBy(String actor, JournalEntry entry, String kind) {
    return switch (entry) {
      case RunEntry.Retried retried -> kind.equals("retry") && retried.actor().equals(actor);
      case RunEntry.Replayed replayed -> kind.equals("replay") && replayed.actor().equals(actor);
      case RunEntry.CancelRequested _ -> kind.equals("cancel"); // the first request stays
      case EffectEntry.Settled settled -> kind.equals("settle") && settled.actor().equals(actor);
      case EffectEntry.SettledTooLate late -> kind.equals("settle") && late.actor().equals(actor);
      default -> false;
    };
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
