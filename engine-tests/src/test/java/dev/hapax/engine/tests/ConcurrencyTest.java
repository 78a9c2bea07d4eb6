package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.RunHandle;
import dev.hapax.admission.RunAdmission;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** How many runs of a flow are under way at once, and in which order the others come. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ConcurrencyTest extends EngineTest {
  private final ConcurrentLinkedQueue<String> entered = new ConcurrentLinkedQueue<>();

  @Test
  void more_than_the_limit_wait_in_line_and_go_on_in_order_of_arrival() {
    Flow<Order, Receipt> flow = register(sleeper().concurrency(1).body(this::sleep));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    RunHandle<Receipt> third = hapax.start(flow, order("C"));

    assertThat(status(second)).isEqualTo(RunStatus.QUEUED);
    awaitStatus(first, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> status(first) == RunStatus.SUCCEEDED);
    awaitStatus(second, RunStatus.WAITING);
    assertThat(status(third)).isEqualTo(RunStatus.QUEUED);
    moveAndAwait(Duration.ofHours(1), () -> status(second) == RunStatus.SUCCEEDED);
    awaitStatus(third, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> status(third) == RunStatus.SUCCEEDED);

    assertThat(entered).containsExactly("A", "B", "C");
    assertThat(types(second)).startsWith("accepted", "queued", "slot", "step-done", "wait");
    assertThat(entry(second, "queued").decision()).contains("1 at once").contains(first.id());
    assertThat(entry(third, "queued").decision()).contains(second.id());
  }

  @Test
  void runs_of_other_keys_do_not_wait() {
    Flow<Order, Receipt> flow =
        register(sleeper().concurrency(order -> order.id().substring(0, 1), 1).body(this::sleep));

    hapax.start(flow, order("A-1"));
    RunHandle<Receipt> same = hapax.start(flow, order("A-2"));
    RunHandle<Receipt> other = hapax.start(flow, order("B-1"));

    awaitStatus(other, RunStatus.WAITING);
    assertThat(status(same)).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void a_queued_run_has_done_nothing_until_it_has_its_slot() {
    var sent = new ConcurrentLinkedQueue<String>();
    var open = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        register(
            orders("charge")
                .concurrency(1)
                .body(
                    (run, order) -> {
                      run.effect(
                          "charge",
                          create(order).keyed(),
                          key -> {
                            sent.add(order.id());
                            awaitUninterruptibly(open);
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    eventually(() -> sent.contains("A"));

    assertThat(status(second)).isEqualTo(RunStatus.QUEUED);
    assertThat(hapax.effects(hapax.effects())).hasSize(1);
    open.countDown();

    assertThat(first.await()).isNotNull();
    assertThat(second.await()).isNotNull();
    assertThat(sent).containsExactly("A", "B");
  }

  @Test
  void a_body_that_computes_long_before_its_first_step_does_not_take_it_without_a_slot()
      throws InterruptedException {
    var slow = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        register(
            sleeper()
                .concurrency(1)
                .body(
                    (run, order) -> {
                      if (order.id().equals("B")) {
                        slow.await();
                      }
                      return sleep(run, order);
                    }));
    hapax.start(flow, order("A"));

    RunHandle<Receipt> second = startMovingTime(flow, order("B"));
    slow.countDown();

    moveSteps(20, Duration.ofMillis(10));
    assertThat(status(second)).isEqualTo(RunStatus.QUEUED);
    assertThat(entered).containsExactly("A");
  }

  @Test
  void the_slot_is_free_again_after_a_failure_and_a_retry_waits_for_it() {
    var failing = new AtomicBoolean(true);
    Flow<Order, Receipt> flow =
        register(
            sleeper()
                .concurrency(1)
                .body(
                    (run, order) -> {
                      if (order.id().equals("A") && failing.get()) {
                        throw new IllegalStateException("not today");
                      }
                      return sleep(run, order);
                    }));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    awaitStatus(first, RunStatus.FAILED);
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitStatus(second, RunStatus.WAITING);
    failing.set(false);

    hapax.retry(first.id(), "ann");
    moveSteps(5, Duration.ofSeconds(1));
    assertThat(status(first)).isEqualTo(RunStatus.QUEUED);
    assertThat(entry(first, "retried").decision()).contains("behind run " + second.id());
    moveAndAwait(Duration.ofHours(1), () -> status(second) == RunStatus.SUCCEEDED);

    awaitStatus(first, RunStatus.WAITING);
    assertThat(types(first)).contains("slot");
  }

  @Test
  void reject_refuses_the_start_and_leaves_the_key_unused() {
    Flow<Order, Receipt> flow =
        register(sleeper().concurrency(1, Overflow.REJECT).body(this::sleep));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));

    var refused = catchThrowableOfType(ConcurrencyLimit.class, () -> hapax.start(flow, order("B")));

    assertThat(refused.code()).isEqualTo("concurrency-limit");
    assertThat(refused.holder()).isEqualTo(first.id());
    assertThat(refused).hasMessageContaining("sleeper").hasMessageContaining(first.id());
    assertThatThrownBy(() -> hapax.run(hapax.id("sleeper", "B"))).hasMessageContaining("no run");
    assertThat(hapax.start(flow, order("A")).isDuplicate())
        .isTrue(); // dedupe comes before the gate
    awaitStatus(first, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> status(first) == RunStatus.SUCCEEDED);
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitStatus(second, RunStatus.WAITING);
  }

  @Test
  void a_retry_that_finds_no_slot_is_refused_where_starts_are() {
    Flow<Order, Receipt> flow =
        register(
            sleeper()
                .concurrency(1, Overflow.REJECT)
                .body(
                    (run, order) -> {
                      if (order.id().equals("A")) {
                        throw new IllegalStateException("never");
                      }
                      return sleep(run, order);
                    }));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    awaitStatus(first, RunStatus.FAILED);
    hapax.start(flow, order("B"));

    assertThatThrownBy(() -> hapax.retry(first.id(), "ann")).isInstanceOf(ConcurrencyLimit.class);

    assertThat(status(first)).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void cancel_running_ends_the_older_run_and_the_newest_goes_on() {
    var began = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        register(
            sleeper()
                .concurrency(1, Overflow.CANCEL_RUNNING)
                .body(
                    (run, order) -> {
                      if (order.id().equals("A")) {
                        began.countDown();
                        run.step("long", () -> hang(), String.class); // in memory when B comes
                      }
                      return sleep(run, order);
                    }));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    awaitUninterruptibly(began);

    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitStatus(first, RunStatus.CANCELED);
    awaitStatus(second, RunStatus.WAITING);
    RunHandle<Receipt> third = hapax.start(flow, order("C"));
    awaitStatus(second, RunStatus.CANCELED);

    awaitStatus(third, RunStatus.WAITING);
    assertThat(entry(first, "cancel-requested").evidence()).contains(second.id());
    assertThat(hapax.slots(flow.name(), null)).hasSize(1);
  }

  @Test
  void a_queued_run_can_be_canceled_and_the_next_one_takes_its_turn() {
    Flow<Order, Receipt> flow = register(sleeper().concurrency(1).body(this::sleep));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    RunHandle<Receipt> third = hapax.start(flow, order("C"));

    hapax.cancel(second.id(), "ann", "not needed");
    awaitStatus(second, RunStatus.CANCELED);
    awaitStatus(first, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> status(first) == RunStatus.SUCCEEDED);

    awaitStatus(third, RunStatus.WAITING);
    assertThat(entered).containsExactly("A", "C");
  }

  @Test
  void the_time_of_a_run_goes_on_while_it_is_queued() {
    Flow<Order, Receipt> patient =
        register(
            sleeper()
                .concurrency(1)
                .body(
                    (run, order) -> {
                      run.sleep("long", Duration.ofDays(9));
                      return new Receipt(order.id(), "");
                    }));
    Flow<Order, Receipt> hurried =
        register(
            sleeper().release(2).concurrency(1).timeout(Duration.ofHours(3)).body(this::sleep));
    RunHandle<Receipt> first = hapax.start(patient, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(hurried, order("B"));

    moveAndAwait(Duration.ofHours(3), () -> status(second) == RunStatus.FAILED);

    assertThat(String.valueOf(hapax.run(second.id()).error())).contains("timeout");
    assertThat(entered).isEmpty();
    assertThat(hapax.slots("sleeper", null)).hasSize(1);
  }

  @Test
  void a_crash_leaks_no_slot_and_loses_no_place() {
    Flow<Order, Receipt> flow = sleeper().concurrency(2).body(this::sleep);
    register(flow);
    List<RunHandle<Receipt>> runs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      runs.add(hapax.start(flow, order("A-" + i)));
    }
    for (int i = 0; i < 8; i += 2) {
      RunHandle<Receipt> one = runs.get(i);
      RunHandle<Receipt> two = runs.get(i + 1);
      awaitStatus(one, RunStatus.WAITING);
      awaitStatus(two, RunStatus.WAITING);
      crash(flow);
      assertThat(hapax.slots(flow.name(), null)).hasSize(8 - i);
      moveAndAwait(Duration.ofHours(1), () -> status(one).isEnd() && status(two).isEnd());
    }

    assertThat(runs).allSatisfy(run -> assertThat(status(run)).isEqualTo(RunStatus.SUCCEEDED));
    assertThat(hapax.slots(flow.name(), null)).isEmpty();
    assertThat(entered).hasSize(8);
    assertThat(entered.stream().limit(2)).containsExactlyInAnyOrder("A-0", "A-1");
  }

  @Test
  void a_crash_of_a_run_in_memory_keeps_its_slot_for_its_replay() {
    var gate = new CountDownLatch(1);
    var times = new AtomicInteger();
    Flow<Order, Receipt> flow =
        orders("sleeper")
            .concurrency(1)
            .body(
                (run, order) -> {
                  run.step(
                      "work",
                      () -> {
                        if (times.incrementAndGet() == 1) {
                          awaitUninterruptibly(gate);
                        }
                        entered.add(order.id());
                        return "";
                      },
                      String.class);
                  return new Receipt(order.id(), "");
                });
    register(flow);
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    eventually(() -> times.get() == 1);

    crash(flow);

    awaitStatus(first, RunStatus.SUCCEEDED);
    awaitStatus(second, RunStatus.SUCCEEDED);
    assertThat(entered).containsExactly("A", "B");
    gate.countDown();
  }

  @Test
  void many_starts_at_once_never_exceed_the_limit_and_all_end() throws InterruptedException {
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            orders("sleeper")
                .concurrency(order -> "k" + order.total(), 2)
                .body(
                    (run, order) -> {
                      run.step(
                          "work",
                          () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            LockSupport.parkNanos(1_000);
                            return inside.decrementAndGet();
                          },
                          Integer.class);
                      return new Receipt(order.id(), "");
                    }));
    List<Thread> starters = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Order order = new Order("A-" + i, 1);
      starters.add(Thread.startVirtualThread(() -> hapax.start(flow, order).await()));
    }
    for (Thread starter : starters) {
      starter.join();
    }

    assertThat(most.get()).isBetween(1, 2);
    eventually(() -> hapax.slots(flow.name(), "k1").isEmpty());
    assertThat(hapax.runs(hapax.runs().status(RunStatus.SUCCEEDED))).hasSize(200);
  }

  @Test
  void bad_limits_and_keys_are_refused() {
    assertThatThrownBy(() -> orders("x").concurrency(0))
        .hasMessageContaining("expected 1 to 10,000, got 0");
    assertThatThrownBy(() -> orders("x").concurrency(Order::id, 10_001))
        .hasMessageContaining("got 10,001");
    Flow<Order, Receipt> empty = register(sleeper().concurrency(_ -> "", 1).body(this::sleep));

    assertThatThrownBy(() -> hapax.start(empty, order("A")))
        .isInstanceOf(RunAdmission.InvalidInput.class)
        .hasMessageContaining("concurrency limit of flow 'sleeper'");
  }

  private static Flow.Builder<Order, Receipt> sleeper() {
    return orders("sleeper");
  }

  private Receipt sleep(RunContext run, Order order) {
    run.step(
        "enter",
        () -> {
          entered.add(order.id());
          return order.id();
        },
        String.class);
    run.sleep("pause", Duration.ofHours(1));
    return new Receipt(order.id(), "awake");
  }

  private static String hang() throws InterruptedException {
    new CountDownLatch(1).await(); // until it is interrupted
    return "";
  }

  private RunStatus status(RunHandle<?> run) {
    Run found = hapax.run(run.id());
    return found.status();
  }
}
