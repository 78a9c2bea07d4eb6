package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.JobRequest;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind.Outcome;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A job acts once on each item that it selected, no matter what happens in between. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class JobTest extends EngineTest {
  private static final int FAST = 10_000;

  private CountedKind kind = new CountedKind(0);

  private JobRequest over(int subjects) {
    kind = new CountedKind(subjects);
    hapax.jobs().kind(kind);
    return request();
  }

  private static JobRequest request() {
    return JobRequest.of("counted", JobSelection.everything(), "ann").rate(FAST);
  }

  private Job awaitJob(Job job, JobState state) {
    moveUntil(Duration.ofMillis(500), () -> hapax.jobs().job(job.id()).state() == state);
    return hapax.jobs().job(job.id());
  }

  private List<JobItem> items(Job job) {
    return hapax.jobs().items(job.id(), null, 0, 1_000);
  }

  private void crashWithKind() {
    process.die();
    revived();
    reopen();
    hapax.jobs().kind(kind);
  }

  @Test
  void a_plan_acts_on_nothing_until_it_is_applied() {
    Job plan = hapax.jobs().plan(over(3));

    Job planned = awaitJob(plan, JobState.PLANNED);
    assertThat(planned.totals()).containsEntry("items", 3L).containsEntry("odd", 2L);
    assertThat(planned.appliedBy()).isNull();
    assertThat(kind.acts).isEmpty();
    assertThat(items(plan)).extracting(JobItem::state).containsOnly(JobItemState.OPEN);

    hapax.jobs().apply(plan.id(), "bob", null);
    hapax.jobs().apply(plan.id(), "carl", null);
    Job done = awaitJob(plan, JobState.DONE);

    assertThat(kind.acts).containsExactly("s-1", "s-2", "s-3");
    assertThat(done.done()).isEqualTo(3);
    assertThat(done.createdBy()).isEqualTo("ann");
    assertThat(done.appliedBy()).isEqualTo("bob");
    assertThat(done.endedAt()).isNotNull();
  }

  @Test
  void results_say_what_was_done_skipped_and_failed_and_can_be_filtered() {
    JobRequest request = over(5);
    kind.act =
        item ->
            switch (item.subject()) {
              case "s-2" -> throw new NotPossible("it is succeeded");
              case "s-3" -> throw new NotFound("it is gone");
              case "s-4" -> throw new IllegalStateException("it \0 broke " + "x".repeat(100_000));
              default -> Outcome.DONE;
            };

    Job job = awaitJob(hapax.jobs().start(request), JobState.DONE);

    assertThat(job.done()).isEqualTo(2);
    assertThat(job.skipped()).isEqualTo(2);
    assertThat(job.failed()).isEqualTo(1);
    assertThat(hapax.jobs().items(job.id(), JobItemState.SKIPPED, 0, 10))
        .extracting(JobItem::problem)
        .containsExactly("it is succeeded", "it is gone");
    assertThat(hapax.jobs().items(job.id(), JobItemState.SKIPPED, 2, 10)).hasSize(1);
    JobItem failed = hapax.jobs().items(job.id(), JobItemState.FAILED, 0, 10).getFirst();
    assertThat(failed.problem()).startsWith("it \uFFFD broke").hasSizeLessThan(1_100);
    assertThat(failed.key()).isEqualTo("K-4");
  }

  @Test
  void a_job_that_is_killed_again_and_again_goes_on_and_does_each_item_once() {
    JobRequest request = over(20).rate(2);
    var enter = new AtomicInteger();
    kind.act =
        item -> {
          if (enter.incrementAndGet() % 6 == 0) {
            process.die();
            throw new StoreUnavailable("the process dies here", null);
          }
          return Outcome.DONE;
        };

    Job job = hapax.jobs().start(request);
    for (int i = 0; i < 3; i++) {
      int dies = (i + 1) * 6;
      moveUntil(Duration.ofMillis(500), () -> enter.get() >= dies);
      crashWithKind();
    }
    Job done = awaitJob(job, JobState.DONE);

    assertThat(done.done()).isEqualTo(20);
    assertThat(items(job)).extracting(JobItem::state).containsOnly(JobItemState.DONE);
    assertThat(kind.acts).as("each kill repeats one act").hasSize(23);
    assertThat(Set.copyOf(kind.acts)).hasSize(20);
  }

  @Test
  void a_store_that_cannot_answer_fails_no_item() {
    JobRequest request = over(3);
    var troubles = new AtomicInteger(4);
    kind.act =
        _ -> {
          if (troubles.getAndDecrement() > 0) {
            throw new StoreUnavailable("away", null);
          }
          return Outcome.DONE;
        };

    Job job = awaitJob(hapax.jobs().start(request), JobState.DONE);

    assertThat(job.done()).isEqualTo(3);
    assertThat(job.failed()).isZero();
    assertThat(troubles.get()).isLessThanOrEqualTo(0);
  }

  @Test
  void a_job_that_meets_an_error_of_the_machine_goes_on_where_it_was() {
    JobRequest request = over(3);
    var troubles = new AtomicInteger();
    kind.act =
        item -> {
          if (item.subject().equals("s-2") && troubles.getAndIncrement() == 0) {
            throw new OutOfMemoryError("made up");
          }
          return Outcome.DONE;
        };

    Job job = awaitJob(hapax.jobs().start(request), JobState.DONE);

    assertThat(job.done()).isEqualTo(3);
    assertThat(kind.acts).containsExactly("s-1", "s-2", "s-2", "s-3");
  }

  @Test
  void a_job_keeps_to_its_rate() {
    Job job = hapax.jobs().start(over(10).rate(2));

    eventually(() -> kind.acts.size() == 2 && time.isIdle());
    assertThat(kind.acts).hasSize(2);
    int moves = 0;
    while (hapax.jobs().job(job.id()).state() != JobState.DONE) {
      int before = kind.acts.size();
      moveUntil(
          Duration.ofMillis(100),
          () -> kind.acts.size() > before || hapax.jobs().job(job.id()).state() == JobState.DONE);
      eventually(time::isIdle);
      assertThat(kind.acts.size()).isLessThanOrEqualTo(before + 2);
      moves++;
    }

    assertThat(moves).isGreaterThanOrEqualTo(4);
    assertThat(kind.acts).hasSize(10);
  }

  @Test
  void a_paused_job_stops_after_the_item_under_way_and_goes_on_when_it_is_resumed() {
    JobRequest request = over(5);
    var entered = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    kind.act =
        item -> {
          if (item.subject().equals("s-2")) {
            entered.countDown();
            awaitUninterruptibly(goOn);
          }
          return Outcome.DONE;
        };
    Job job = hapax.jobs().start(request);
    eventually(() -> entered.getCount() == 0);

    assertThat(hapax.jobs().pause(job.id()).state()).isEqualTo(JobState.PAUSED);
    goOn.countDown();
    eventually(() -> hapax.jobs().job(job.id()).done() == 2);
    eventually(time::isIdle);
    moveSteps(20, Duration.ofSeconds(1));
    assertThat(kind.acts).containsExactly("s-1", "s-2");
    assertThat(items(job).get(2).state()).isEqualTo(JobItemState.OPEN);
    crashWithKind();
    moveSteps(20, Duration.ofSeconds(1));
    assertThat(kind.acts).hasSize(2);

    hapax.jobs().resume(job.id(), null);
    Job done = awaitJob(job, JobState.DONE);

    assertThat(done.done()).isEqualTo(5);
    assertThat(kind.acts).containsExactly("s-1", "s-2", "s-3", "s-4", "s-5");
  }

  @Test
  void a_job_that_is_resumed_while_its_last_item_is_under_way_counts_it_once() {
    JobRequest request = over(3);
    var entered = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    kind.act =
        item -> {
          if (item.subject().equals("s-2") && entered.getCount() == 1) {
            entered.countDown();
            awaitUninterruptibly(goOn);
          }
          return Outcome.DONE;
        };
    Job job = hapax.jobs().start(request);
    eventually(() -> entered.getCount() == 0);

    hapax.jobs().pause(job.id());
    hapax.jobs().resume(job.id(), null);
    Job done = awaitJob(job, JobState.DONE);
    goOn.countDown();
    eventually(time::isIdle);

    assertThat(done.done()).isEqualTo(3);
    assertThat(hapax.jobs().job(job.id()).done()).isEqualTo(3);
  }

  @Test
  void a_canceled_job_acts_no_more_and_keeps_its_results() {
    JobRequest request = over(5);
    kind.act =
        item -> {
          if (item.subject().equals("s-3")) {
            hapax.jobs().cancel(newest().id());
          }
          return Outcome.DONE;
        };
    Job job = hapax.jobs().start(request);

    eventually(() -> hapax.jobs().job(job.id()).done() == 3);
    eventually(time::isIdle);
    moveSteps(20, Duration.ofSeconds(1));

    assertThat(newest().state()).isEqualTo(JobState.CANCELED);
    assertThat(kind.acts).hasSize(3);
    assertThatThrownBy(() -> hapax.jobs().resume(job.id(), null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("is canceled");
    assertThatThrownBy(() -> hapax.jobs().pause(job.id())).isInstanceOf(NotPossible.class);
    assertThat(hapax.jobs().cancel(job.id()).state()).isEqualTo(JobState.CANCELED);
  }

  private Job newest() {
    return hapax.jobs().list(1).getFirst();
  }

  @Test
  void a_plan_that_is_paused_or_killed_while_it_selects_goes_on_there() {
    JobRequest request = over(1_000);
    var pages = new AtomicInteger();
    kind.beforePage =
        () -> {
          if (pages.incrementAndGet() == 3) {
            process.die();
            throw new StoreUnavailable("the process dies here", null);
          }
          if (pages.get() == 4) {
            hapax.jobs().pause(newest().id());
          }
        };
    Job plan = hapax.jobs().plan(request);
    eventually(() -> pages.get() >= 3);

    crashWithKind();
    awaitJob(plan, JobState.PAUSED);
    assertThatThrownBy(() -> hapax.jobs().apply(plan.id(), "ann", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("only a plan that is complete");
    hapax.jobs().resume(plan.id(), null);
    Job planned = awaitJob(plan, JobState.PLANNED);

    assertThat(planned.items()).isEqualTo(1_000);
    assertThat(items(plan)).extracting(JobItem::subject).doesNotHaveDuplicates().hasSize(1_000);
    assertThat(items(plan).getLast().position()).isEqualTo(1_000);
  }

  @Test
  void a_selection_that_cannot_be_made_fails_the_job_and_says_why() {
    JobRequest request = over(1);
    kind.beforePage =
        () -> {
          throw new IllegalStateException("no such index");
        };

    Job job = awaitJob(hapax.jobs().start(request), JobState.FAILED);

    assertThat(job.problem()).contains("no such index");
    assertThat(kind.acts).isEmpty();
    assertThatThrownBy(() -> hapax.jobs().resume(job.id(), null)).isInstanceOf(NotPossible.class);
  }

  @Test
  void ten_thousand_items_are_done_in_small_pages() {
    Job job = hapax.jobs().start(over(10_000));

    Job done = awaitJob(job, JobState.DONE);

    assertThat(done.done()).isEqualTo(10_000);
    assertThat(kind.acts).doesNotHaveDuplicates().hasSize(10_000);
    assertThat(kind.largestPage).isLessThanOrEqualTo(200);
  }

  @Test
  void the_same_request_with_the_same_key_is_one_job() {
    JobRequest request = over(2).key("first");

    Job job = hapax.jobs().start(request);
    Job again = hapax.jobs().start(request);

    assertThat(again.id()).isEqualTo(job.id());
    awaitJob(job, JobState.DONE);
    assertThat(hapax.jobs().start(request).state()).isEqualTo(JobState.DONE);
    assertThat(kind.acts).hasSize(2);
    assertThatThrownBy(
            () -> hapax.jobs().start(request.with("filter", JobSelection.of("x").given())))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("does something else");
  }

  @Test
  void a_request_that_cannot_be_carried_out_is_refused_at_once() {
    over(1);

    assertThatThrownBy(() -> hapax.jobs().start(request().rate(0)))
        .hasMessageContaining("rate: expected 1 to 10,000");
    assertThatThrownBy(() -> hapax.jobs().start(request().with("bad", true)))
        .hasMessageContaining("a bad job");
    assertThatThrownBy(
            () -> hapax.jobs().start(JobRequest.of("paint", JobSelection.everything(), "ann")))
        .hasMessageContaining(
            "kind: expected one of cancel, counted, delete, redeliver, replay, retry, settle");
    assertThatThrownBy(() -> hapax.jobs().start(JobRequest.retry(JobSelection.NONE, "ann")))
        .hasMessageContaining("filter: expected at least one of")
        .hasMessageContaining("\"all\": true");
    assertThat(hapax.jobs().list(10)).isEmpty();
  }

  @Test
  void a_job_whose_run_was_canceled_goes_on_when_it_is_resumed() {
    JobRequest request = over(4).rate(1);
    Job job = hapax.jobs().start(request);
    eventually(() -> kind.acts.size() == 1);
    String run = hapax.runs(hapax.runs().flow("hapax/job")).getFirst().id().toString();

    hapax.cancel(run, "bob", null);
    moveUntil(Duration.ofMillis(100), () -> hapax.run(run).status() == RunStatus.CANCELED);
    hapax.jobs().resume(job.id(), FAST);

    assertThat(awaitJob(job, JobState.DONE).done()).isEqualTo(4);
    assertThat(kind.acts).doesNotHaveDuplicates();
  }

  @Test
  void jobs_that_ended_long_ago_are_removed_by_later_ones() {
    JobRequest request = over(1_500);
    Job old = awaitJob(hapax.jobs().start(request), JobState.DONE);
    time.move(Duration.ofDays(31));

    Job job = awaitJob(hapax.jobs().start(request), JobState.DONE);

    assertThat(hapax.jobs().list(10)).extracting(Job::id).containsExactly(job.id());
    assertThatThrownBy(() -> hapax.jobs().job(old.id())).isInstanceOf(NotFound.class);
  }

  @Test
  void old_jobs_that_are_paused_stay_and_keep_no_other_from_being_removed() {
    JobRequest request = over(3).rate(1);
    List<Job> paused = IntStream.range(0, 25).mapToObj(_ -> hapax.jobs().start(request)).toList();
    paused.forEach(job -> hapax.jobs().pause(job.id()));
    Job old = awaitJob(hapax.jobs().start(request), JobState.DONE);
    time.move(Duration.ofDays(31));

    Job job = awaitJob(hapax.jobs().start(request), JobState.DONE);

    assertThatThrownBy(() -> hapax.jobs().job(old.id())).isInstanceOf(NotFound.class);
    assertThat(hapax.jobs().list(100)).extracting(Job::id).contains(job.id()).hasSize(26);
  }

  @Test
  void another_tenant_does_not_see_a_job() {
    Job job = hapax.jobs().start(over(1));
    var other = hapax.tenant("other").jobs();

    assertThat(other.list(10)).isEmpty();
    assertThatThrownBy(() -> other.job(job.id())).isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> other.cancel(job.id())).isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> other.items(job.id(), null, 0, 1)).isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> other.kind(kind)).isInstanceOf(IllegalStateException.class);
  }
}
