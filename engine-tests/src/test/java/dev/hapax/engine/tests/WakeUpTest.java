package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** No wake-up is lost: those of runs that wait, and those of callers that await a run. */
class WakeUpTest extends EngineTest {

  @Test
  void one_read_of_what_is_due_that_fails_does_not_end_all_waits() {
    RunHandle<Receipt> run = hapax.start(register(sleeping(Duration.ofMinutes(1))), order("A"));
    awaitStatus(run, RunStatus.WAITING);

    process.afterNextDue(
        () -> {
          throw new StoreUnavailable("the server is busy, once", null);
        });

    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_run_that_could_not_be_loaded_once_is_tried_again() {
    RunHandle<Receipt> run = hapax.start(register(sleeping(Duration.ofMinutes(1))), order("A"));
    awaitStatus(run, RunStatus.WAITING);

    process.beforeNextLoad(
        () -> {
          throw new IllegalStateException("out of memory, once");
        });

    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_cancel_of_unknown_outcome_is_not_lost_while_the_timer_goes_through_everything() {
    var flow = register(sleeping(Duration.ofDays(365)));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitStatus(first, RunStatus.WAITING);
    awaitStatus(second, RunStatus.WAITING);

    loseWhileTheTimerLooks(
        () -> hapax.cancel(first.id(), "ada", null), () -> hapax.cancel(second.id(), "ada", null));

    moveUntil(Duration.ofSeconds(5), () -> hapax.run(second.id()).status() == RunStatus.CANCELED);
  }

  @Test
  void a_settlement_of_unknown_outcome_is_not_lost_while_the_timer_goes_through_everything() {
    RunHandle<Receipt> first = hapax.start(register(sleeping(Duration.ofDays(365))), order("A"));
    RunHandle<Receipt> second = hapax.start(register(mailer()), order("B"));
    awaitStatus(first, RunStatus.WAITING);
    awaitStatus(second, RunStatus.REVIEW);
    String mail = effect(EffectState.REVIEW).id();

    loseWhileTheTimerLooks(
        () -> hapax.cancel(first.id(), "ada", null),
        () -> hapax.settle(mail, Settlement.happened("sent", "it is there", "ada")));

    moveUntil(Duration.ofSeconds(5), () -> hapax.run(second.id()).status() == RunStatus.SUCCEEDED);
  }

  private static Flow<Order, Receipt> mailer() {
    return charging(
        "mailer",
        Effect.notify("B").unguarded(),
        _ -> {
          throw new IOException("reset");
        });
  }

  /**
   * Both land without a wake-up, so that the timer must look at everything: the second time when it
   * has read what was due after the first, but does not know it yet.
   */
  private void loseWhileTheTimerLooks(Runnable first, Runnable second) {
    var looking = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    process.afterNextDue(
        () -> {
          looking.countDown();
          awaitUninterruptibly(go);
        });
    loseAnswer(first, () -> looking.getCount() == 0);
    loseAnswer(second, () -> true);
    go.countDown();
  }

  private void loseAnswer(Runnable action, BooleanSupplier until) {
    process.failNextCommit(new UnknownCommit("connection lost at commit", new Exception()), true);
    Thread actor = Thread.startVirtualThread(action);
    moveUntil(Duration.ofMillis(100), () -> !actor.isAlive() && until.getAsBoolean());
  }

  @Test
  void closing_releases_callers_that_await_a_run() {
    RunHandle<Receipt> run = hapax.start(register(sleeping(Duration.ofHours(1))), order("A"));
    awaitStatus(run, RunStatus.WAITING);
    Thread waiter = Thread.startVirtualThread(run::await);
    eventually(() -> waiter.getState() == Thread.State.WAITING);

    hapax.close();

    eventually(() -> !waiter.isAlive());
  }

  @Test
  void a_broken_store_releases_callers_that_await_a_run() {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var flow =
        register(
            charging(
                "slow",
                Effect.create("A").keyed(),
                key -> {
                  inside.countDown();
                  go.await();
                  return key;
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    Thread waiter = Thread.startVirtualThread(run::await);
    eventually(() -> inside.getCount() == 0 && waiter.getState() == Thread.State.WAITING);

    process.failNextCommit(new StoreBroken("EIO", null), false);
    go.countDown();

    eventually(() -> !waiter.isAlive());
  }

  @Test
  void awaiting_a_review_says_so_also_when_the_flows_time_is_over() {
    var flow = register(mailer(Duration.ofMinutes(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    assertThatThrownBy(() -> run.await(Duration.ofSeconds(1))).isInstanceOf(RunInReview.class);

    moveAndWake(Duration.ofMinutes(2), run);
    awaitStatus(run, RunStatus.CANCELING);
    awaitReleased(run);

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
  }

  @Test
  void awaiting_a_run_that_is_just_leaving_memory_hears_its_end() {
    var options = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);
    try (Hapax real = Hapax.open(new MemoryStore(), options)) {
      var flow = sleeping(Duration.ofMillis(5));
      real.register(flow);

      roundsFor(
          Duration.ofMillis(500),
          round -> {
            RunHandle<Receipt> run = real.start(flow, order("A" + round));
            assertThat(run.await(Duration.ofSeconds(2)).key()).isEqualTo("awake");
          });
    }
  }

  @Test
  void a_run_that_waits_for_a_place_in_memory_gets_it() {
    var options = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO).mostInMemory(1);
    try (Hapax real = Hapax.open(new MemoryStore(), options)) {
      var flow = orders("plain").body((_, order) -> new Receipt(order.id(), "ok"));
      real.register(flow);

      roundsFor(
          Duration.ofMillis(500),
          round -> {
            String rival = "rival-" + round;
            Thread starter = Thread.startVirtualThread(() -> real.start(flow, order(rival)));
            RunHandle<Receipt> run = real.start(flow, order("A" + round));
            eventually(() -> !starter.isAlive());
            RunHandle<Receipt> other = real.handle(real.id("plain", rival), Receipt.class);
            assertThat(run.await(Duration.ofSeconds(2)).key()).isEqualTo("ok");
            assertThat(other.await(Duration.ofSeconds(2)).key()).isEqualTo("ok");
          });
    }
  }

  /** For races of the real clock: as many rounds as fit. */
  private static void roundsFor(Duration time, IntConsumer round) {
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      round.accept(i);
    }
  }
}
