package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyReused;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.admission.RunAdmission;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTest extends EngineTest {
  private final World world = new World();

  private Flow<Order, Receipt> charge() {
    return charging("charge-order", order -> create(order).keyed(), world::apply);
  }

  @Test
  void a_run_that_is_started_twice_charges_once() {
    var flow = register(charge());

    RunHandle<Receipt> first = hapax.start(flow, order("A-1001"));
    Receipt receipt = first.await();
    RunHandle<Receipt> second = hapax.start(flow, order("A-1001"));

    assertThat(second.await()).isEqualTo(receipt);
    assertThat(second.id()).isEqualTo(first.id()).isEqualTo(hapax.id("charge-order", "A-1001"));
    assertThat(first.isDuplicate()).isFalse();
    assertThat(second.isDuplicate()).isTrue();
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_duplicate_of_a_run_that_succeeded_has_its_output_without_another_read() {
    var flow = register(charge());
    Receipt receipt = hapax.start(flow, order("A-1001")).await();
    RunHandle<Receipt> second = hapax.start(flow, order("A-1001"));
    process.die();

    assertThat(second.await()).isEqualTo(receipt);
  }

  @Test
  void stopped_duplicates_are_counted_on_the_run() {
    var flow = register(charge());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1001"));
    run.await();

    hapax.start(flow, order("A-1001"));
    hapax.start(flow, order("A-1001"));

    moveAndAwait(Duration.ofSeconds(2), () -> run.run().duplicates() == 2);
  }

  /** One flush writes some of them, and each has its turn; closing writes all that are left. */
  @Test
  void duplicates_of_thousands_of_runs_are_all_counted() {
    var flow =
        register(orders("note").body((_, order) -> new Receipt(order.id(), "" + order.total())));
    List<Order> orders = IntStream.range(0, 4_500).mapToObj(i -> order("A-" + i)).toList();
    orders.forEach(order -> hapax.start(flow, order));

    orders.forEach(order -> hapax.start(flow, order));
    moveAndAwait(Duration.ofSeconds(1), () -> counted(orders) == orders.size());
    orders.forEach(order -> hapax.start(flow, order));
    hapax.close();
    reopen(flow);

    assertThat(counted(orders)).isEqualTo(2L * orders.size());
  }

  private long counted(List<Order> orders) {
    return orders.stream()
        .mapToLong(order -> hapax.run(hapax.id("note", order.id())).duplicates())
        .sum();
  }

  @Test
  void a_hundred_starts_of_one_key_at_once_make_one_run() throws Exception {
    var flow = register(charge());
    var threads = new ArrayList<Thread>();
    var fresh = new AtomicInteger();

    for (int i = 0; i < 100; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                RunHandle<Receipt> run = hapax.start(flow, order("A-1001"));
                run.await();
                fresh.addAndGet(run.isDuplicate() ? 0 : 1);
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(fresh).hasValue(1);
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void the_same_key_with_another_input_is_refused_with_the_first_run_and_the_difference() {
    var flow = register(charge());
    RunHandle<Receipt> first = hapax.start(flow, new Order("A-1001", 40));

    assertThatThrownBy(() -> hapax.start(flow, new Order("A-1001", 45)))
        .isInstanceOf(KeyReused.class)
        .hasMessageContaining(first.id())
        .hasMessageContaining("/total was 40, now 45");
  }

  @Test
  void with_conflict_return_another_input_gets_the_first_run() {
    var flow =
        register(
            orders("charge-order")
                .conflict(Flow.Conflict.RETURN)
                .body((_, order) -> new Receipt(order.id(), "" + order.total())));
    hapax.start(flow, new Order("A-1001", 40)).await();

    assertThat(hapax.start(flow, new Order("A-1001", 45)).await().key()).isEqualTo("40");
  }

  @Test
  void with_conflict_new_each_input_has_a_run_of_its_own() {
    var flow =
        register(
            orders("charge-order")
                .conflict(Flow.Conflict.NEW)
                .body((_, order) -> new Receipt(order.id(), "" + order.total())));
    RunHandle<Receipt> first = hapax.start(flow, new Order("A-1001", 40));
    RunHandle<Receipt> second = hapax.start(flow, new Order("A-1001", 45));

    assertThat(first.id()).isNotEqualTo(second.id());
    assertThat(second.await().key()).isEqualTo("45");
    assertThat(hapax.start(flow, new Order("A-1001", 45)).isDuplicate()).isTrue();
  }

  record Priced(String id, BigDecimal total) {}

  @Test
  void numbers_that_are_written_differently_are_the_same_input() {
    var flow =
        register(
            Flow.of("priced", Priced.class, String.class)
                .key(Priced::id)
                .body((_, in) -> "" + in.total()));
    String first = hapax.start(flow, new Priced("P", new BigDecimal("40.00"))).await();

    RunHandle<String> second = hapax.start(flow, new Priced("P", new BigDecimal("4E1")));

    assertThat(first).isEqualTo("40.00");
    assertThat(second.isDuplicate()).isTrue();
  }

  @Test
  void a_start_without_any_key_is_a_run_of_its_own() {
    var flow = register(Flow.of("ping", String.class, String.class).body((_, in) -> in));

    RunHandle<String> first = hapax.start(flow, "hello");
    RunHandle<String> second = hapax.start(flow, "hello");

    assertThat(first.id()).isNotEqualTo(second.id());
    assertThat(first.run().key()).isNotEmpty();
    assertThat(hapax.start(flow, "hello", "given").id())
        .isEqualTo(hapax.start(flow, "hello", "given").id());
  }

  @Test
  void a_given_key_that_differs_from_the_computed_one_is_refused() {
    var flow = register(charge());

    assertThatThrownBy(() -> hapax.start(flow, order("A-1001"), "B-2"))
        .isInstanceOf(RunAdmission.InvalidInput.class)
        .hasMessageContaining("computes 'A-1001'");
  }

  @Test
  void a_flow_that_is_not_registered_cannot_be_started() {
    assertThatThrownBy(() -> hapax.start(charge(), order("A")))
        .hasMessageContaining("hapax.register");
  }

  @Test
  void a_body_that_throws_fails_its_run_and_no_other() {
    var flow =
        register(
            orders("picky")
                .body(
                    (_, order) -> {
                      if (order.total() == 13) {
                        throw new IllegalArgumentException("unlucky");
                      }
                      return new Receipt(order.id(), "");
                    }));

    RunHandle<Receipt> bad = hapax.start(flow, new Order("bad", 13));
    RunHandle<Receipt> good = hapax.start(flow, new Order("good", 1));

    assertThatThrownBy(bad::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("error"))
        .hasMessageContaining("unlucky");
    assertThat(good.await().order()).isEqualTo("good");
  }

  @Test
  void a_branch_that_was_taken_stays_taken_and_is_in_the_history() {
    var asked = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            orders("ways")
                .body(
                    (run, order) -> {
                      String way = run.branch("size", () -> "way " + asked.incrementAndGet());
                      run.sleep("pause", Duration.ofHours(1));
                      return new Receipt(order.id(), way);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    crash(flow);
    moveUntil(Duration.ofMinutes(10), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(hapax.run(run.id()).output()).contains("way 1");
    assertThat(entry(run, "branch").branch()).isEqualTo("way 1");
    assertThat(asked).hasValue(1);
  }

  @Test
  void recorded_steps_are_not_executed_again_after_a_crash() {
    var computed = new AtomicInteger();
    var flow =
        register(
            orders("compute")
                .body(
                    (run, order) -> {
                      Integer first = run.step("first", computed::incrementAndGet, Integer.class);
                      run.sleep("pause", Duration.ofDays(1));
                      Integer again = run.step("second", computed::incrementAndGet, Integer.class);
                      return new Receipt(order.id(), first + "-" + again);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    crash(flow);
    moveAndWake(Duration.ofDays(1), run);

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("1-2");
  }

  @Test
  void a_run_stays_on_the_release_it_started_on() {
    Flow<Order, Receipt> one = paused(1, "one");
    Flow<Order, Receipt> two = paused(2, "two");
    register(one);
    RunHandle<Receipt> old = hapax.start(one, order("old"));
    awaitStatus(old, RunStatus.WAITING);

    crash(two);
    RunHandle<Receipt> young = hapax.start(two, order("young"));
    awaitStatus(young, RunStatus.WAITING);
    moveAndWake(Duration.ofDays(2), young);
    String answer = young.await().key();
    assertThat(hapax.run(old.id()).status()).isEqualTo(RunStatus.WAITING); // its code is not here
    hapax.register(one);

    assertThat(answer).isEqualTo("two");
    assertThat(hapax.handle(old.id(), Receipt.class).await().key()).isEqualTo("one");
    assertThatThrownBy(() -> hapax.register(paused(1, "changed")))
        .hasMessageContaining(".release(2)");
  }

  private static Flow<Order, Receipt> paused(int release, String answer) {
    return orders("paused")
        .release(release)
        .body(
            (run, order) -> {
              run.sleep("pause", Duration.ofDays(1));
              return new Receipt(order.id(), answer);
            });
  }

  @Test
  void items_of_a_loop_have_steps_of_their_own() {
    var flow =
        register(
            Flow.of("loop", Integer.class, List.class)
                .body(
                    (run, n) -> {
                      var out = new ArrayList<String>();
                      for (int i = 0; i < n; i++) {
                        int index = i;
                        out.add(run.item(i).step("square", () -> "" + index * index, String.class));
                      }
                      return out;
                    }));

    RunHandle<?> run = hapax.start(flow, 4);

    assertThat(run.await()).isEqualTo(List.of("0", "1", "4", "9"));
    assertThat(run.history())
        .filteredOn(line -> "square".equals(line.step()))
        .extracting("item")
        .containsExactly("0", "1", "2", "3");
  }

  @Test
  void a_failed_step_can_be_caught_and_is_the_same_on_every_replay() {
    var calls = new AtomicInteger();
    var flow =
        register(
            orders("careful")
                .body(
                    (run, order) -> {
                      String answer;
                      try {
                        answer =
                            run.step(
                                "risky",
                                () -> {
                                  calls.incrementAndGet();
                                  throw new IllegalStateException("no");
                                },
                                String.class);
                      } catch (StepFailed e) {
                        answer = e.code();
                      }
                      run.sleep("pause", Duration.ofHours(1));
                      return new Receipt(order.id(), answer);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndWake(Duration.ofHours(1), run);

    assertThat(run.await().key()).isEqualTo("step-failed");
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_read_is_retried_by_its_policy() {
    var calls = new AtomicInteger();
    var flow =
        register(
            orders("reader")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.read(
                                "look",
                                retries(3),
                                () -> {
                                  if (calls.incrementAndGet() < 3) {
                                    throw new java.io.IOException("not yet");
                                  }
                                  return "seen";
                                },
                                String.class))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    for (int i = 1; i < 3; i++) {
      int seen = i;
      eventually(() -> calls.get() == seen && run.run().status() == RunStatus.WAITING);
      moveAndWake(Duration.ofMinutes(1), run);
    }

    assertThat(run.await().key()).isEqualTo("seen");
  }

  @Test
  void a_corrected_input_of_another_flow_is_refused() {
    var flow = register(failing());
    var other =
        register(Flow.of("other", String.class, String.class).key(_ -> "A").body((_, in) -> in));
    RunHandle<String> run = hapax.start(flow, "small");
    awaitStatus(run, RunStatus.FAILED);

    assertThatThrownBy(() -> hapax.retry(run.id(), "ada", other, "text"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_corrected_input_that_is_too_large_is_refused() {
    var flow = register(failing());
    RunHandle<String> run = hapax.start(flow, "small");
    awaitStatus(run, RunStatus.FAILED);

    assertThatThrownBy(() -> hapax.retry(run.id(), "ada", flow, "x".repeat(2 << 20)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Flow<String, String> failing() {
    return Flow.of("failing", String.class, String.class)
        .key(_ -> "A")
        .body(
            (_, _) -> {
              throw new IllegalStateException("no");
            });
  }

  @Test
  void the_runs_of_another_tenant_are_not_listed() {
    hapax.start(register(charge()), order("A")).await();
    var options = HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(Duration.ZERO);

    try (Hapax other = Hapax.open(process, options.tenant("b"))) {
      assertThat(other.runs(RunFilter.of("default"))).isEmpty();
    }
  }
}
