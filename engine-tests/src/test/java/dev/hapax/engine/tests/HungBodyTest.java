package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies that block or swallow their unwinding: their run still ends, and no other one waits. */
class HungBodyTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    never.countDown();
  }

  /** Its first body hangs after a step and does not listen; the next ones answer. */
  private Flow<Order, Receipt> stuck() {
    return orders("stuck")
        .timeout(Duration.ofMinutes(1))
        .body(
            (run, order) -> {
              run.step("begin", () -> "begun", String.class);
              if (calls.incrementAndGet() == 1) {
                awaitUninterruptibly(never);
                run.effect(
                    "charge",
                    create(order).keyed(),
                    key -> {
                      world.apply(key);
                    });
              }
              return new Receipt(order.id(), "second try");
            });
  }

  private static boolean isFailed(Hapax hapax, RunHandle<?> run) {
    return hapax.run(run.id()).status() == RunStatus.FAILED;
  }

  @Test
  void a_body_that_blocks_for_ever_is_ended_at_its_timeout_and_its_thread_writes_nothing_more() {
    RunHandle<Receipt> run = hapax.start(register(stuck()), order("A"));
    eventually(() -> calls.get() == 1);

    time.move(Duration.ofMinutes(1));
    moveUntil(Duration.ofSeconds(1), () -> isFailed(hapax, run));
    never.countDown();

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("timeout"));
    assertThat(world.count()).isZero();
  }

  @Test
  void a_run_whose_body_hung_can_be_retried_while_the_old_body_still_hangs() {
    RunHandle<Receipt> run = hapax.start(register(stuck()), order("A"));
    eventually(() -> calls.get() == 1);
    time.move(Duration.ofMinutes(1));
    moveUntil(Duration.ofSeconds(1), () -> isFailed(hapax, run));

    hapax.retry(run.id(), "ada");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("second try");
  }

  @Test
  void a_body_that_blocks_before_its_first_step_does_not_hold_its_start() {
    var flow =
        register(
            orders("stuck")
                .body(
                    (_, order) -> {
                      awaitUninterruptibly(never);
                      return new Receipt(order.id(), "");
                    }));

    RunHandle<Receipt> run = startMovingTime(flow, order("A"));

    assertThat(run.isDuplicate()).isFalse();
    assertThat(run.run().status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void a_hung_body_that_was_given_up_does_not_take_the_place_of_others() {
    var options = HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(Duration.ZERO);
    try (Hapax small = Hapax.open(new MemoryStore(), options.mostInMemory(1))) {
      var stuck = stuck();
      var plain = orders("plain").body((_, order) -> new Receipt(order.id(), "ok"));
      small.register(stuck);
      small.register(plain);
      RunHandle<Receipt> bad = small.start(stuck, order("A"));
      eventually(() -> calls.get() == 1);
      time.move(Duration.ofMinutes(1));
      moveUntil(Duration.ofSeconds(1), () -> isFailed(small, bad));

      RunHandle<Receipt> good = small.start(plain, order("B"));

      moveUntil(Duration.ofSeconds(1), () -> small.run(good.id()).status() == RunStatus.SUCCEEDED);
    } finally {
      never.countDown();
    }
  }

  @Test
  void a_body_that_swallows_its_unwinding_and_hangs_can_still_be_canceled() {
    var flow =
        register(
            orders("swallow")
                .body(
                    (run, order) -> {
                      try {
                        run.sleep("pause", Duration.ofMinutes(1));
                      } catch (Throwable e) {
                        awaitUninterruptibly(never); // as careless code does
                      }
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ada", null);

    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status() == RunStatus.CANCELED);
  }

  @Test
  void a_run_whose_end_takes_long_to_commit_is_not_ended_twice() {
    var ends = new AtomicInteger();
    var go = new CountDownLatch(1);
    var flow =
        register(
            orders("blocked")
                .body(
                    (run, order) -> {
                      run.step("begin", () -> "begun", String.class);
                      calls.incrementAndGet();
                      never.await();
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> calls.get() == 1);
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "\"ended\"")) {
            ends.incrementAndGet();
            awaitUninterruptibly(go);
          }
        });
    hapax.cancel(run.id(), "ada", null);
    eventually(() -> ends.get() == 1);

    moveSteps(100, Duration.ofMillis(50)); // past the time that a body has to unwind
    go.countDown();
    awaitStatus(run, RunStatus.CANCELED);
    RunHandle<Receipt> next = hapax.start(register(sleeping(Duration.ofDays(1))), order("B"));
    awaitStatus(
        next, RunStatus.WAITING); // everything that was submitted before it has been committed

    assertThat(ends).hasValue(1);
  }
}
