package dev.hapax.testkit.promise;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.job.ReplayJob;
import dev.hapax.run.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The replays that jobs have planned, and what the jobs say of them. */
final class JobReplays {
  private static final int MOST = 10_000;

  private JobReplays() {}

  /**
   * Returns one for each run in a plan of a job, of which the plan keeps all effects. The mark is
   * the name of the job in the run's journal.
   */
  static List<Observation.ReplayTold> of(Evidence evidence) {
    List<Observation.ReplayTold> told = new ArrayList<>();
    for (JobRecord job : evidence.store().jobs().list(evidence.tenant(), null, MOST)) {
      if (job.kind().equals(ReplayJob.NAME)) {
        for (JobItem item : evidence.store().jobs().items(job.number(), null, 0, MOST)) {
          PlannedReplay planned = ReplayJob.planned(item);
          if (planned.release() != null && planned.more() == 0) {
            told.add(told(job.toJob().actor(), item, planned));
          }
        }
      }
    }
    return told;
  }

  private static Observation.ReplayTold told(String actor, JobItem item, PlannedReplay planned) {
    var plan =
        new ReplayPlan(
            planned.run(),
            ReplayWish.ALL,
            Objects.requireNonNull(planned.release()),
            planned.differences(),
            planned.effects(),
            planned.ends(),
            "");
    ClientCall.Answer answer =
        switch (item.state()) {
          case DONE -> ClientCall.Answer.ACCEPTED;
          case DOING -> ClientCall.Answer.UNKNOWN;
          case OPEN, SKIPPED, FAILED -> ClientCall.Answer.REFUSED;
        };
    return new Observation.ReplayTold(item.subject(), actor, "", plan, answer);
  }
}
