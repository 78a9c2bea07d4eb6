package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.JobRequest;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind.Outcome;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A job moves to another node, and a node that was cut off does nothing more to it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class JobNodesTest extends TwoNodesTest {
  private static final JobRequest REQUEST =
      JobRequest.of("counted", JobSelection.everything(), "ann").rate(10_000);

  @Test
  void a_job_goes_on_at_another_node_and_the_first_one_records_nothing_more() {
    var entered = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var first = new CountedKind(6);
    first.act =
        item -> {
          if (item.subject().equals("s-3")) {
            entered.countDown();
            awaitUninterruptibly(goOn);
            return Outcome.failed("from a node that was cut off");
          }
          return Outcome.DONE;
        };
    var second = new CountedKind(6);
    one.hapax.jobs().kind(first);
    Job job = one.hapax.jobs().start(REQUEST);
    eventually(() -> entered.getCount() == 0);
    two.hapax.jobs().kind(second);

    one.isCut = true;
    onlyBeats(two);
    moveUntil(SECOND, () -> two.hapax.jobs().job(job.id()).state() == JobState.DONE);
    goOn.countDown();
    moveSteps(20, SECOND);

    assertThat(first.acts).containsExactly("s-1", "s-2", "s-3");
    assertThat(second.acts).containsExactly("s-3", "s-4", "s-5", "s-6");
    Job done = two.hapax.jobs().job(job.id());
    assertThat(done.done()).isEqualTo(6);
    assertThat(done.failed()).isZero();
    assertThat(two.hapax.jobs().items(job.id(), null, 0, 10))
        .extracting(JobItem::state)
        .containsOnly(JobItemState.DONE);
  }

  @Test
  void a_job_is_paused_at_a_node_that_does_not_work_on_it() {
    var kind = new CountedKind(6);
    var paused = new CountDownLatch(1);
    kind.act =
        item -> {
          if (item.subject().equals("s-2")) {
            awaitUninterruptibly(paused);
          }
          return Outcome.DONE;
        };
    one.hapax.jobs().kind(kind);
    Job job = one.hapax.jobs().start(REQUEST);
    eventually(() -> kind.acts.size() == 2);

    two.hapax.jobs().pause(job.id());
    paused.countDown();
    eventually(() -> one.hapax.jobs().job(job.id()).done() == 2);
    moveSteps(20, SECOND);

    assertThat(kind.acts).hasSize(2);
    assertThat(one.hapax.jobs().job(job.id()).state()).isEqualTo(JobState.PAUSED);
  }
}
