package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run that is to end takes the children that it started along, and no others. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildStopTest extends EngineTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Flow.Builder<Order, Receipt> parents() {
    return orders("parent");
  }

  private static Flow<Order, Receipt> calling(
      Flow.Builder<Order, Receipt> parent, Flow<Order, Receipt> child) {
    return parent.body((run, order) -> run.call("child", child, order));
  }

  private RunHandle<Receipt> childOf(String flow, Order order) {
    return hapax.handle(hapax.id(flow, order.id()), Receipt.class);
  }

  /** Started, and both it and its child wait. */
  private RunHandle<Receipt> waiting(Flow<Order, Receipt> parent, String child) {
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    awaitStatus(childOfEventually(child), RunStatus.WAITING);
    return run;
  }

  @Test
  void a_canceled_parent_ends_after_its_child_was_canceled() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    RunHandle<Receipt> run = waiting(register(calling(parents(), child)), "sleeper");

    hapax.cancel(run.id(), "ann", "wrong order");

    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
    Run ended = hapax.run(hapax.id("sleeper", "A-1"));
    assertThat(ended.status()).isEqualTo(RunStatus.CANCELED);
    assertThat(cancel(ended.id().toString()).actor()).isEqualTo("run " + run.id());
    assertThat(ended.endedAt()).isBeforeOrEqualTo(hapax.run(run.id()).endedAt());
    assertThat(types(run)).containsSubsequence("cancel-requested", "call-stopped", "ended");
  }

  @Test
  void a_canceled_parent_stays_canceling_while_its_child_settles_an_effect() {
    var arrived = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Flow<Order, Receipt> child =
        register(
            charging(
                "charge",
                create(order("A-1")).keyed(),
                key -> {
                  arrived.countDown();
                  awaitUninterruptibly(release);
                  return key;
                }));
    Flow<Order, Receipt> parent = register(calling(parents(), child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitUninterruptibly(arrived);
    awaitReleased(run);

    hapax.cancel(run.id(), "ann", null);
    awaitStatus(run, RunStatus.CANCELING);
    awaitReleased(run);
    assertThat(hapax.run(run.id()).endedAt()).isNull();
    release.countDown();

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(hapax.run(hapax.id("charge", "A-1")).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(effect(EffectState.DONE).run())
        .isEqualTo(hapax.run(hapax.id("charge", "A-1")).number());
  }

  @Test
  void a_child_in_memory_is_canceled_at_once() {
    var arrived = new CountDownLatch(1);
    Flow<Order, Receipt> child =
        register(
            orders("child")
                .body(
                    (run, order) ->
                        run.step(
                            "work",
                            () -> {
                              arrived.countDown();
                              new CountDownLatch(1).await(); // until it is interrupted
                              return null;
                            },
                            Receipt.class)));
    RunHandle<Receipt> run = hapax.start(register(calling(parents(), child)), order("A-1"));
    awaitUninterruptibly(arrived);
    awaitReleased(run);

    hapax.cancel(run.id(), "ann", null);

    awaitStatus(run, RunStatus.CANCELED);
  }

  @Test
  void a_canceled_parent_leaves_a_child_that_it_did_not_start() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    RunHandle<Receipt> other = hapax.start(child, order("A-1"));
    RunHandle<Receipt> run = waiting(register(calling(parents(), child)), "sleeper");

    hapax.cancel(run.id(), "ann", null);

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(hapax.run(other.id()).cancel()).isNull();
    assertThat(entry(run, "call-stopped").decision()).startsWith("no longer waits for run");
    moveAndAwait(HOUR, () -> hapax.run(other.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_spawned_run_goes_on_when_its_parent_is_canceled() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    Flow<Order, Receipt> parent =
        register(
            parents()
                .body(
                    (run, order) -> {
                      run.spawn("child", child, order);
                      run.sleep("pause", HOUR);
                      return null;
                    }));
    RunHandle<Receipt> run = waiting(parent, "sleeper");

    hapax.cancel(run.id(), "ann", null);

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(hapax.run(hapax.id("sleeper", "A-1")).cancel()).isNull();
  }

  @Test
  void a_cancellation_goes_down_through_all_children() {
    Flow<Order, Receipt> lowest = register(sleeping(HOUR));
    Flow<Order, Receipt> middle = register(calling(orders("middle"), lowest));
    RunHandle<Receipt> run = waiting(register(calling(parents(), middle)), "sleeper");
    awaitStatus(childOf("middle", order("A-1")), RunStatus.WAITING);

    hapax.cancel(run.id(), "ann", null);

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(hapax.run(hapax.id("middle", "A-1")).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(hapax.run(hapax.id("sleeper", "A-1")).status()).isEqualTo(RunStatus.CANCELED);
  }

  @Test
  void a_child_that_a_person_cancels_fails_the_step_and_stays_canceled_at_a_retry() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    RunHandle<Receipt> run = waiting(register(calling(parents(), child)), "sleeper");

    hapax.cancel(hapax.id("sleeper", "A-1"), "ann", null);

    assertFails(run, "canceled");
    hapax.retry(run.id(), "ann");
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    assertThat(hapax.run(hapax.id("sleeper", "A-1")).status()).isEqualTo(RunStatus.CANCELED);
  }

  @Test
  void a_parent_that_takes_too_long_cancels_its_child_and_a_retry_lets_both_go_on() {
    Flow<Order, Receipt> child = register(sleeping(Duration.ofHours(3)));
    Flow<Order, Receipt> parent = register(calling(parents().timeout(HOUR), child));
    RunHandle<Receipt> run = waiting(parent, "sleeper");

    moveAndAwait(HOUR, () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertFails(run, "timeout");
    RunHandle<Receipt> sleeper = childOf("sleeper", order("A-1"));
    assertThat(hapax.run(sleeper.id()).status()).isEqualTo(RunStatus.CANCELED);
    time.move(Duration.ofHours(3)); // past the child's wait
    hapax.retry(run.id(), "ann");
    assertThat(run.await().key()).isEqualTo("awake");
    assertThat(sleeper.await().key()).isEqualTo("awake");
  }

  @Test
  void a_parent_that_is_canceled_while_no_process_runs_ends_with_its_child() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    Flow<Order, Receipt> parent = register(calling(parents(), child));
    RunHandle<Receipt> run = waiting(parent, "sleeper");
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "call-stopped")) {
            process.die();
          }
        });
    try {
      hapax.cancel(run.id(), "ann", null);
    } catch (StoreBroken e) {
      // the wish was durable before the process died of it
    }
    eventually(() -> isBroken());

    crash(child, parent);

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(hapax.run(hapax.id("sleeper", "A-1")).status()).isEqualTo(RunStatus.CANCELED);
  }

  private boolean isBroken() {
    try {
      hapax.run(hapax.id("parent", "A-1"));
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  @Test
  void the_parent_of_a_child_in_review_waits() {
    Flow<Order, Receipt> child =
        register(
            charging(
                "charge",
                create(order("A-1")).unguarded(),
                _ -> {
                  throw new IllegalStateException("reset");
                }));
    Flow<Order, Receipt> parent = register(calling(parents(), child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    RunHandle<Receipt> reviewed = childOfEventually("charge");
    awaitStatus(reviewed, RunStatus.REVIEW);
    assertThat(awaitStatus(run, RunStatus.WAITING).dueAt()).isNull();

    EffectRecord effect = effect(EffectState.REVIEW);
    hapax.settle(effect.id(), Settlement.happened("by hand", "found it", "ann"));

    assertThat(run.await().key()).isEqualTo("by hand");
  }

  @Test
  void a_parent_that_is_to_end_is_not_in_review_itself() {
    var failing = new AtomicBoolean(true);
    Flow<Order, Receipt> child =
        register(
            charging(
                "charge",
                create(order("A-1")).unguarded(),
                key -> {
                  if (failing.get()) {
                    throw new IllegalStateException("reset");
                  }
                  return key;
                }));
    Flow<Order, Receipt> parent = register(calling(parents(), child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    RunHandle<Receipt> reviewed = childOfEventually("charge");
    awaitStatus(reviewed, RunStatus.REVIEW);

    hapax.cancel(run.id(), "ann", null);
    awaitStatus(run, RunStatus.CANCELING);
    awaitReleased(run);
    eventually(() -> hapax.run(reviewed.id()).status() == RunStatus.CANCELING);
    eventually(
        () -> hapax.run(reviewed.id()).owner() == null && hapax.run(reviewed.id()).dueAt() == null);
    assertThatThrownBy(reviewed::await).isInstanceOf(RunInReview.class);
    var told = new AtomicInteger();
    Thread waiter =
        Thread.startVirtualThread(
            () -> {
              try {
                run.await();
              } catch (RunCanceled e) {
                told.incrementAndGet();
              }
            });
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("gave up", "ann"));

    eventually(() -> !waiter.isAlive());
    assertThat(told).hasValue(1);
  }

  private RunHandle<Receipt> childOfEventually(String flow) {
    eventually(
        () ->
            hapax.runs(hapax.runs()).stream().anyMatch(candidate -> candidate.flow().equals(flow)));
    return childOf(flow, order("A-1"));
  }
}
