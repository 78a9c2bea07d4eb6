package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.hapax.RunHandle;
import dev.hapax.RunUnfinished;
import dev.hapax.StartInterrupted;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreFull;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A store that fails: what was accepted is not lost, and nothing is acknowledged that is not
 * durable.
 */
class StoreTroubleTest extends EngineTest {
  private final World world = new World();

  private Flow<Order, Receipt> charge() {
    return charging("charge-order", order -> create(order).keyed(), world::apply);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_but_which_landed_lands_once() {
    var flow = register(charge());
    process.failNextCommit(new UnknownCommit("connection lost at commit", new Exception()), true);

    RunHandle<Receipt> run = startMovingTime(flow, order("A"));

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(run.isDuplicate()).isFalse();
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_and_which_did_not_land_is_repeated() {
    var flow = register(charge());
    process.failNextCommit(
        new UnknownCommit("connection lost before commit", new Exception()), false);

    RunHandle<Receipt> run = startMovingTime(flow, order("A"));

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_wake_up_in_a_batch_of_unknown_outcome_is_not_lost() {
    var flow = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    process.failNextCommit(new UnknownCommit("connection lost at commit", new Exception()), true);
    Thread canceler = Thread.startVirtualThread(() -> hapax.cancel(run.id(), "ada", null));
    moveUntil(Duration.ofMillis(100), () -> !canceler.isAlive());

    eventually(() -> run.run().status() == RunStatus.CANCELED);
  }

  @Test
  void a_full_disk_refuses_starts_keeps_what_was_accepted_and_goes_on_with_space() {
    var atTheSender = new CountDownLatch(1);
    var maySend = new CountDownLatch(1);
    var flow =
        register(
            charging(
                "charge-order",
                order -> create(order).keyed(),
                _ -> {
                  atTheSender.countDown();
                  awaitUninterruptibly(maySend);
                  return "charged";
                }));
    RunHandle<Receipt> accepted = hapax.start(flow, order("A"));
    awaitUninterruptibly(atTheSender);
    process.failNextCommit(new StoreFull("no space", null), false);

    assertThatThrownBy(() -> hapax.start(flow, order("B"))).isInstanceOf(StoreFull.class);
    assertThatThrownBy(() -> hapax.start(flow, order("C"))).isInstanceOf(StoreFull.class);
    assertThat(hapax.isWritable()).isFalse();
    maySend.countDown();
    process.recover();
    moveUntil(Duration.ofSeconds(1), () -> accepted.run().status() == RunStatus.SUCCEEDED);
    moveUntil(Duration.ofSeconds(1), hapax::isWritable);

    assertThat(hapax.runs(hapax.runs())).extracting(Run::key).containsExactly("A");
    assertThat(hapax.start(flow, order("B")).await().order()).isEqualTo("B");
    assertThat(hapax.start(flow, order("B")).isDuplicate()).isTrue();
  }

  @Test
  void a_start_that_is_interrupted_may_have_been_accepted_and_says_so() throws Exception {
    var flow = register(charge());
    var atTheStore = new CountDownLatch(1);
    var mayCommit = new CountDownLatch(1);
    process.beforeCommit(
        _ -> {
          atTheStore.countDown();
          awaitUninterruptibly(mayCommit);
        });
    var heard = new CompletableFuture<Throwable>();
    Thread starter =
        Thread.ofVirtual()
            .start(
                () -> {
                  Throwable thrown = catchThrowable(() -> hapax.start(flow, order("A")));
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                  heard.complete(thrown);
                });
    awaitUninterruptibly(atTheStore);

    starter.interrupt();

    assertThat(heard.get())
        .isInstanceOfSatisfying(
            StartInterrupted.class,
            e -> assertThat(e.runId()).isEqualTo(hapax.id("charge-order", "A")))
        .hasMessageContaining("may have been accepted");
    mayCommit.countDown();
    eventually(() -> hapax.runs(hapax.runs()).size() == 1);
    assertThat(hapax.start(flow, order("A")).isDuplicate()).isTrue();
  }

  @Test
  void an_interrupt_ends_the_wait_for_a_run_and_not_the_run() throws Exception {
    var flow = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    for (Runnable wait : List.<Runnable>of(run::await, () -> run.await(Duration.ofDays(9)))) {
      var heard = new CompletableFuture<Throwable>();
      Thread waiter = Thread.ofVirtual().start(() -> heard.complete(catchThrowable(wait::run)));

      waiter.interrupt();

      assertThat(heard.get()).isInstanceOf(RunUnfinished.class).hasMessageContaining("interrupted");
    }
    awaitStatus(run, RunStatus.WAITING);
    moveUntil(Duration.ofDays(1), () -> run.run().status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_broken_store_acknowledges_nothing_and_everything_goes_on_when_it_is_opened_again() {
    var flow = register(charge());
    hapax.start(flow, order("before")).await();
    process.failNextCommit(new StoreBroken("EIO at commit", null), true);

    assertThatThrownBy(() -> hapax.start(flow, order("A"))).isInstanceOf(StoreBroken.class);
    assertThatThrownBy(() -> hapax.start(flow, order("B")))
        .isInstanceOf(StoreBroken.class)
        .hasMessageContaining("open it again");
    crash(flow);

    RunHandle<Receipt> again =
        hapax.start(flow, order("A")); // it had landed, though nobody could know
    assertThat(again.await().order()).isEqualTo("A");
    assertThat(world.arrivals()).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  void out_of_memory_in_a_commit_stops_the_engine_and_nothing_is_lost() {
    var flow = register(charge());
    hapax.start(flow, order("before")).await();
    process.beforeCommit(
        _ -> {
          throw new OutOfMemoryError("made up");
        });

    assertThatThrownBy(() -> hapax.start(flow, order("A")))
        .isInstanceOf(StoreBroken.class)
        .hasMessageContaining("OutOfMemoryError");
    crash(flow);

    assertThat(hapax.start(flow, order("before")).isDuplicate()).isTrue();
    assertThat(hapax.start(flow, order("A")).await().order()).isEqualTo("A");
    assertThat(world.arrivals()).doesNotHaveDuplicates().hasSize(2);
  }
}
