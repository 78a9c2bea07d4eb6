package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Hold;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.testkit.simulation.WrappedFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sections of bodies, of one flow or several, of which one is entered at a time. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LockTest extends EngineTest {
  private final ConcurrentLinkedQueue<String> entered = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> fences = new ConcurrentLinkedQueue<>();

  @Test
  void runs_of_several_flows_enter_one_after_the_other_in_order_of_arrival() {
    Flow<Order, Receipt> pick = register(section("pick", "stock"));
    Flow<Order, Receipt> count = register(section("count", "stock"));
    RunHandle<Receipt> first = hapax.start(pick, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(count, order("B"));
    awaitReleased(second);
    RunHandle<Receipt> third = hapax.start(pick, order("C"));
    awaitReleased(third);

    assertThat(status(second)).isEqualTo(RunStatus.WAITING);
    assertThat(hapax.locks()).extracting(Hold::isHeld).containsExactly(true, false, false);
    moveAndAwait(
        Duration.ofHours(1), () -> status(first).isEnd() && types(second).contains("wait"));
    moveAndAwait(
        Duration.ofHours(1), () -> status(second).isEnd() && types(third).contains("wait"));
    moveAndAwait(Duration.ofHours(1), () -> status(third).isEnd());

    assertThat(entered).containsExactly("A", "B", "C");
    assertThat(List.copyOf(fences)).isSorted();
    assertThat(fences.stream().distinct()).hasSize(3);
    assertThat(entry(second, "lock").decision()).contains("behind run " + first.id());
    assertThat(types(second)).contains("unlock");
    assertThat(hapax.locks()).isEmpty();
  }

  @Test
  void another_key_does_not_wait() {
    Flow<Order, Receipt> stock = register(section("pick", "stock"));
    Flow<Order, Receipt> money = register(section("pay", "money"));

    hapax.start(stock, order("A"));
    RunHandle<Receipt> second = hapax.start(money, order("B"));

    eventually(() -> entered.contains("B"));
    awaitStatus(second, RunStatus.WAITING);
  }

  @Test
  void after_a_crash_the_same_run_holds_the_lock_with_the_same_fence() {
    Flow<Order, Receipt> flow = section("pick", "stock");
    register(flow);
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitReleased(second);
    long fence = hapax.locks().getFirst().fence();

    crash(flow);

    assertThat(hapax.locks().getFirst().fence()).isEqualTo(fence);
    moveAndAwait(Duration.ofHours(1), () -> status(first).isEnd() && entered.size() == 2);
    eventually(() -> types(second).contains("wait"));
    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> status(second).isEnd());
    assertThat(fences.stream().distinct()).hasSize(2);
    assertThat(hapax.locks()).isEmpty();
  }

  @Test
  void a_run_whose_code_gets_no_answer_of_the_store_in_its_section_keeps_the_lock() {
    var refusals = new AtomicInteger(3);
    Flow<Order, Receipt> flow =
        register(
            orders("pick")
                .body(
                    (run, order) ->
                        run.locked(
                            "hold",
                            "stock",
                            lock -> {
                              fences.add(lock.fence());
                              if (refusals.getAndDecrement() > 0) {
                                throw WrappedFailure.of(
                                    new StoreUnavailable("the server is busy", null), 2);
                              }
                              return new Receipt(order.id(), "");
                            })));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    moveAndAwait(Duration.ofMinutes(5), () -> status(run).isEnd());

    assertThat(status(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(List.copyOf(fences)).hasSize(4);
    assertThat(fences.stream().distinct()).hasSize(1);
    assertThat(types(run)).containsOnlyOnce("unlock");
  }

  @Test
  void a_run_that_fails_in_its_section_gives_the_lock_back_and_its_retry_asks_again() {
    var failing = new AtomicBoolean(true);
    Flow<Order, Receipt> flow =
        register(
            orders("pick")
                .body(
                    (run, order) ->
                        run.locked(
                            "hold",
                            "stock",
                            lock -> {
                              fences.add(lock.fence());
                              run.step("work", () -> work(failing), String.class);
                              return new Receipt(order.id(), "");
                            })));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);

    assertThat(hapax.locks()).isEmpty();
    failing.set(false);
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(List.copyOf(fences)).hasSize(2).isSorted().doesNotHaveDuplicates();
    assertThat(hapax.locks()).isEmpty();
  }

  @Test
  void a_run_that_waits_for_a_lock_can_be_canceled_and_leaves_the_line() {
    Flow<Order, Receipt> flow = register(section("pick", "stock"));
    RunHandle<Receipt> first = hapax.start(flow, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(flow, order("B"));
    awaitReleased(second);
    RunHandle<Receipt> third = hapax.start(flow, order("C"));
    awaitReleased(third);

    hapax.cancel(second.id(), "ann", null);
    awaitStatus(second, RunStatus.CANCELED);
    hapax.cancel(first.id(), "ann", null);
    awaitStatus(first, RunStatus.CANCELED);

    eventually(() -> entered.contains("C"));
    assertThat(entered).containsExactly("A", "C");
  }

  @Test
  void a_run_that_waits_for_a_lock_times_out() {
    Flow<Order, Receipt> holder = register(section("pick", "stock"));
    Flow<Order, Receipt> hurried =
        register(
            orders("hurry")
                .timeout(Duration.ofMinutes(10))
                .body(
                    (run, order) -> run.locked("hold", "stock", _ -> new Receipt(order.id(), ""))));
    RunHandle<Receipt> first = hapax.start(holder, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(hurried, order("B"));
    awaitReleased(second);

    moveAndAwait(Duration.ofMinutes(10), () -> status(second) == RunStatus.FAILED);

    assertThat(error(second).code()).isEqualTo("timeout");
    assertThat(hapax.locks()).hasSize(1);
  }

  @Test
  void a_deadlock_of_two_runs_is_reported() {
    Flow<Order, Receipt> forth = register(twoLocks("forth", "1", "2"));
    Flow<Order, Receipt> back = register(twoLocks("back", "2", "1"));
    RunHandle<Receipt> first = hapax.start(forth, order("A"));
    RunHandle<Receipt> second = hapax.start(back, order("B"));
    awaitStatus(first, RunStatus.WAITING);
    awaitStatus(second, RunStatus.WAITING);

    moveAndAwait(Duration.ofHours(1), () -> status(first).isEnd() && status(second).isEnd());

    List<RunStatus> ends = List.of(status(first), status(second));
    assertThat(ends).containsExactlyInAnyOrder(RunStatus.SUCCEEDED, RunStatus.FAILED);
    RunHandle<Receipt> loser = status(first) == RunStatus.FAILED ? first : second;
    RunHandle<Receipt> winner = status(first) == RunStatus.FAILED ? second : first;
    assertThat(error(loser).code()).isEqualTo("deadlock");
    assertThat(error(loser).message()).contains(winner.id());
    assertThat(hapax.locks()).isEmpty();
    hapax.retry(loser.id(), "ann");
    moveUntil(Duration.ofMinutes(10), () -> status(loser) == RunStatus.SUCCEEDED);
  }

  @Test
  void a_lock_inside_itself_and_an_empty_key_fail_the_run_clearly() {
    Flow<Order, Receipt> twice = register(twoLocks("twice", "1", "1"));
    Flow<Order, Receipt> empty = register(section("empty", ""));

    RunHandle<Receipt> first = hapax.start(twice, order("A"));
    awaitStatus(first, RunStatus.WAITING);
    RunHandle<Receipt> second = hapax.start(empty, order("B"));
    moveAndAwait(Duration.ofHours(1), () -> status(first).isEnd());

    assertThat(error(first).code()).isEqualTo("lock-reentrant");
    awaitStatus(second, RunStatus.FAILED);
    assertThat(error(second).message()).contains("key of a lock");
    assertThat(hapax.locks()).isEmpty();
  }

  private Flow<Order, Receipt> section(String name, String key) {
    return orders(name)
        .body(
            (run, order) ->
                run.locked(
                    "hold",
                    key,
                    lock -> {
                      fences.add(lock.fence());
                      run.step("enter", () -> entered.add(order.id()), Boolean.class);
                      run.sleep("pause", Duration.ofHours(1));
                      return new Receipt(order.id(), "");
                    }));
  }

  private static Flow<Order, Receipt> twoLocks(String name, String one, String two) {
    return orders(name)
        .body(
            (run, order) ->
                run.locked(
                    "outer",
                    one,
                    _ -> {
                      run.sleep("pause", Duration.ofHours(1));
                      return run.locked("inner", two, _ -> new Receipt(order.id(), ""));
                    }));
  }

  private static String work(AtomicBoolean failing) {
    if (failing.get()) {
      throw new IllegalStateException("not today");
    }
    return "";
  }

  private RunStatus status(RunHandle<?> run) {
    return hapax.run(run.id()).status();
  }

  private Failure error(RunHandle<?> run) {
    return Objects.requireNonNull(hapax.run(run.id()).error());
  }

  @Test
  void a_replay_takes_a_lock_again_that_the_end_of_its_run_has_released() {
    Flow<Order, Receipt> flow =
        register(
            orders("pick")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "all",
                          Each.of(List.of("x", "y"), one -> one).atOnce(2),
                          (item, line) -> {
                            if (line.equals("y")) {
                              item.step("look", () -> line, String.class);
                              return;
                            }
                            item.locked(
                                "hold",
                                "stock",
                                lock -> {
                                  fences.add(lock.fence());
                                  item.sleep("nap", Duration.ofDays(1));
                                  return line;
                                });
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    hapax.cancel(run.id(), "ann", null);
    awaitStatus(run, RunStatus.CANCELED);
    RunHandle<Receipt> other = hapax.start(register(section("other", "stock")), order("B"));
    awaitStatus(other, RunStatus.WAITING);
    fences.clear();

    hapax
        .replays()
        .apply(hapax.replays().plan(run.id(), ReplayWish.from("look", "y")), "ann", "a test");
    eventually(() -> hapax.locks().size() == 2);

    assertThat(hapax.locks()).extracting(Hold::isHeld).containsExactly(true, false);
    assertThat(fences).allMatch(fence -> fence == 0); // as the plan sees it
  }
}
