package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.run.RunStatus;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreFull;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * A store that fails: what was accepted is not lost, and nothing is acknowledged that is not
 * durable.
 */
class StoreTroubleTest extends EngineTest {
  private final World world = new World();

  private Flow<Order, Receipt> charge() {
    return orders("charge-order")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect("charge", create(order).keyed(), world::apply, String.class)));
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
    var flow =
        register(
            orders("sleeper")
                .body(
                    (run, order) -> {
                      run.sleep("pause", Duration.ofDays(1));
                      return new Receipt(order.id(), "awake");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    process.failNextCommit(new UnknownCommit("connection lost at commit", new Exception()), true);
    Thread canceler = Thread.startVirtualThread(() -> hapax.cancel(run.id(), "ada", null));
    moveUntil(Duration.ofMillis(100), () -> !canceler.isAlive());

    eventually(() -> run.run().status() == RunStatus.CANCELED);
  }

  @Test
  void a_full_disk_refuses_starts_keeps_what_was_accepted_and_goes_on_with_space() {
    var flow = register(charge());
    var waiting = new AtomicReference<RunHandle<Receipt>>();
    var atTheStore = new CountDownLatch(1);
    process.failNextCommit(new StoreFull("no space", null), false);
    process.beforeCommit(_ -> atTheStore.countDown());
    Thread starter = Thread.startVirtualThread(() -> waiting.set(hapax.start(flow, order("A"))));
    awaitUninterruptibly(atTheStore);
    var refused = new AtomicBoolean();
    eventually(
        () -> {
          tryToStart(flow, refused);
          return refused.get();
        });

    process.recover();
    moveUntil(Duration.ofSeconds(1), () -> !starter.isAlive());

    assertThat(waiting.get().await().order()).isEqualTo("A");
    assertThat(hapax.start(flow, order("B")).await().order()).isEqualTo("B");
    assertThat(hapax.start(flow, order("B")).isDuplicate()).isTrue();
  }

  /**
   * Each try on a thread of its own: one that comes before the disk is known to be full waits for
   * space.
   */
  private void tryToStart(Flow<Order, Receipt> flow, AtomicBoolean refused) {
    Thread.startVirtualThread(
        () -> {
          try {
            hapax.start(flow, order("probe"));
          } catch (StoreFull e) {
            refused.set(true);
          }
        });
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
