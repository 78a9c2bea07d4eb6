package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.JobRequest;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.job.ReplayJob;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A person works on many runs or effects at once, pauses the jobs and lets them go on. */
final class JobFeature implements Feature {
  private static final int MOST_JOBS = 50;

  /** What a person does not ask for who only looks after jobs. */
  private static final JobRequest NOTHING = JobRequest.retry(JobSelection.everything(), "nobody");

  private final Outside outside;
  private final BulkWork work;
  private final boolean appliesPlans;
  private final List<Observation> observations = new ArrayList<>();

  /** A person who only retries runs. */
  JobFeature(Outside outside) {
    this(outside, (_, name) -> JobRequest.retry(JobSelection.everything(), name), false);
  }

  /** A person who also applies what was planned before. */
  JobFeature(Outside outside, BulkWork work) {
    this(outside, work, true);
  }

  private JobFeature(Outside outside, BulkWork work, boolean appliesPlans) {
    this.outside = outside;
    this.work = work;
    this.appliesPlans = appliesPlans;
  }

  /** What a person wants done with many runs or effects. */
  @FunctionalInterface
  interface BulkWork {
    /** Draws the next request of the person with this name. */
    JobRequest draw(Choices choices, String name);
  }

  @Override
  public void begin() {
    outside.with().scheduler().spawn(null, "bulk", this::live);
  }

  private void live() {
    Choices choices = outside.with().choices();
    int wishes = 3 + choices.below(6);
    for (int i = 0; i < wishes; i++) {
      int bound = choices.oneOf(5, 3_000, 1_200_000);
      outside.with().scheduler().sleep(Duration.ofMillis(choices.below(bound)));
      Hapax hapax = outside.machines().hapax();
      if (hapax != null) {
        act(hapax, i, choices);
      }
    }
  }

  private void act(Hapax hapax, int number, Choices choices) {
    Job[] begun = {null};
    int what = choices.below(appliesPlans ? 8 : 6);
    boolean begins = what > 2 && what < 6;
    JobRequest request = begins ? request(number, choices) : NOTHING;
    SimulatedThread me = outside.with().scheduler().current();
    me.hearsRefusals = true;
    ClientCall.Answer told =
        Client.tell(
            () -> {
              switch (what) {
                case 0 -> hapax.jobs().list(1).forEach(job -> hapax.jobs().pause(job.id()));
                case 1 -> hapax.jobs().list(2).forEach(job -> hapax.jobs().resume(job.id(), 50));
                case 2 -> hapax.jobs().list(1).forEach(job -> hapax.jobs().cancel(job.id()));
                case 3 -> begun[0] = hapax.jobs().plan(request);
                case 6, 7 -> applyPlans(hapax);
                default ->
                    begun[0] =
                        isPlannedOnly(request)
                            ? planNow(hapax, request)
                            : hapax.jobs().start(request);
              }
            });
    me.hearsRefusals = false;
    Job job = begun[0];
    if (job != null) {
      observations.add(new Observation.JobBegun(job.id(), job.createdAt(), told));
    }
  }

  private static boolean isPlannedOnly(JobRequest request) {
    return request.kind().equals(ReplayJob.NAME);
  }

  /** A plan of one run is complete at once. */
  private static Job planNow(Hapax hapax, JobRequest request) {
    boolean isOfNamed =
        request.spec().get("filter") instanceof Map<?, ?> filter && filter.containsKey("ids");
    return isOfNamed ? hapax.jobs().planNow(request) : hapax.jobs().plan(request);
  }

  private static void applyPlans(Hapax hapax) {
    for (Job job : hapax.jobs().list(MOST_JOBS)) {
      if (job.state() == JobState.PLANNED) {
        hapax.jobs().apply(job.id(), "applier", null);
      }
    }
  }

  private JobRequest request(int number, Choices choices) {
    String name = "bulk-" + number;
    return work.draw(choices, name).rate(choices.oneOf(1, 3, 1_000)).key(name);
  }

  /** Jobs that were paused, and those whose runs were canceled, go on. */
  @Override
  public void finish() {
    Hapax hapax = outside.machines().hapax();
    if (hapax != null) {
      Client.tell(
          () -> {
            for (Job job : hapax.jobs().list(MOST_JOBS)) {
              Client.tell(() -> hapax.jobs().resume(job.id(), null));
            }
          });
    }
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
