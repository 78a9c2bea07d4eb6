package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How many runs of a flow begin in a period. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class FlowRateTest extends EngineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ConcurrentLinkedQueue<String> begun = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Instant> times = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean fails = new AtomicBoolean();

  private Flow.Builder<Order, Receipt> onePerMinute(String name) {
    return orders(name).rate(1, MINUTE);
  }

  private Flow<Order, Receipt> noting(Flow.Builder<Order, Receipt> flow) {
    return flow.body(
        (run, order) -> {
          run.effect(
              "begin",
              create(order).keyed(),
              _ -> {
                begun.add(order.id());
                times.add(time.now());
              });
          if (fails.get()) {
            throw new IllegalStateException("not today");
          }
          return new Receipt(order.id(), "");
        });
  }

  private List<RunHandle<Receipt>> startAll(Flow<Order, Receipt> flow, String... ids) {
    var runs = new ArrayList<RunHandle<Receipt>>();
    for (String id : ids) {
      runs.add(hapax.start(flow, order(id)));
    }
    return runs;
  }

  private boolean haveAllSucceeded(List<RunHandle<Receipt>> runs) {
    return runs.stream().allMatch(run -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  /** Time may move on between a turn and its first effect, so all are measured from the first. */
  private void assertSpaced() {
    List<Instant> all = List.copyOf(times);
    for (int i = 1; i < all.size(); i++) {
      assertThat(Duration.between(all.getFirst(), all.get(i)))
          .isGreaterThanOrEqualTo(MINUTE.multipliedBy(i));
    }
  }

  @Test
  void more_starts_are_accepted_and_begin_in_their_order() {
    Flow<Order, Receipt> flow = register(noting(onePerMinute("calm")));

    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4");

    runs.getFirst().await();
    RunHandle<Receipt> second = runs.get(1);
    assertThat(hapax.run(second.id()).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(entry(second, "turn-awaited").decision())
        .isEqualTo("waits: flow 'calm': at most 1 per PT1M, and other calls come first");
    assertThat(hapax.start(flow, order("2")).isDuplicate()).isTrue();
    moveUntil(Duration.ofSeconds(5), () -> haveAllSucceeded(runs));
    assertThat(begun).containsExactly("1", "2", "3", "4");
    assertSpaced();
  }

  @Test
  void no_burst_follows_a_time_in_which_no_run_could_begin() {
    Flow<Order, Receipt> flow = register(noting(onePerMinute("calm")));
    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4");
    runs.getFirst().await();

    time.move(Duration.ofHours(1));
    moveUntil(Duration.ofSeconds(1), () -> haveAllSucceeded(runs));

    List<Instant> late = times.stream().skip(1).toList();
    for (int i = 1; i < late.size(); i++) { // with some room for what passes before an effect
      assertThat(Duration.between(late.get(i - 1), late.get(i)))
          .isGreaterThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void one_that_waits_can_be_canceled_or_times_out() {
    Flow<Order, Receipt> flow =
        register(noting(orders("calm").rate(1, Duration.ofDays(1)).timeout(Duration.ofHours(1))));
    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3");

    hapax.cancel(runs.get(1).id(), "ann", null);

    awaitStatus(runs.get(1), RunStatus.CANCELED);
    moveAndAwait(
        Duration.ofHours(1), () -> hapax.run(runs.get(2).id()).status() == RunStatus.FAILED);
    assertThat(errorOf(runs.get(2)).code()).isEqualTo("timeout");
    assertThat(begun).containsExactly("1");
  }

  @Test
  void one_that_waits_while_its_process_dies_begins_in_the_next_at_the_same_rate() {
    Flow<Order, Receipt> flow = register(noting(onePerMinute("calm")));
    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4");
    runs.getFirst().await();

    crash(flow);
    var later = new ArrayList<>(runs);
    later.addAll(startAll(flow, "5", "6"));
    later.get(4).await();
    moveUntil(Duration.ofSeconds(5), () -> haveAllSucceeded(later));

    assertThat(begun).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
    times.poll(); // what the dead process let begin, this one does not know
    assertSpaced();
  }

  @Test
  void a_retry_has_to_wait_too() {
    Flow<Order, Receipt> flow = register(noting(onePerMinute("calm")));
    fails.set(true);
    RunHandle<Receipt> first = hapax.start(flow, order("1"));
    awaitStatus(first, RunStatus.FAILED);
    RunHandle<Receipt> second = hapax.start(flow, order("2"));
    fails.set(false);

    hapax.retry(first.id(), "ann");

    eventually(() -> types(first).contains("turn-awaited"));
    assertThat(hapax.run(first.id()).status()).isEqualTo(RunStatus.QUEUED);
    moveUntil(Duration.ofSeconds(5), () -> haveAllSucceeded(List.of(first, second)));
  }

  @Test
  void child_runs_keep_to_it_and_their_parents_wait() {
    Flow<Order, Receipt> child = register(noting(onePerMinute("calm")));
    Flow<Order, Receipt> parent =
        register(orders("parent").body((run, order) -> run.call("call", child, order)));

    List<RunHandle<Receipt>> runs = startAll(parent, "1", "2", "3");
    eventually(() -> !begun.isEmpty());
    moveUntil(Duration.ofSeconds(5), () -> haveAllSucceeded(runs));

    assertThat(begun).hasSize(3);
    assertSpaced();
  }

  @Test
  void one_with_a_slot_waits_for_its_turn_and_gives_the_slot_back_at_its_end() {
    Flow<Order, Receipt> flow = register(noting(onePerMinute("calm").concurrency(1)));

    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4");
    runs.getFirst().await();
    moveUntil(Duration.ofSeconds(5), () -> haveAllSucceeded(runs));

    assertThat(begun).containsExactly("1", "2", "3", "4");
    assertSpaced();
    assertThat(hapax.slots("calm", null)).isEmpty();
  }

  @Test
  void a_rate_that_the_next_release_lifts_delays_no_run() {
    Flow<Order, Receipt> slow = register(noting(orders("calm").rate(1, Duration.ofDays(1))));
    List<RunHandle<Receipt>> runs = startAll(slow, "1", "2");
    runs.getFirst().await();

    Flow<Order, Receipt> free = register(noting(orders("calm").release(2)));

    hapax.start(free, order("3")).await();
    moveAndAwait(Duration.ofDays(1), () -> haveAllSucceeded(runs));
  }
}
