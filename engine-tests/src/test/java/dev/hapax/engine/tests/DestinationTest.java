package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A destination has a rate and a number of calls at once, and runs wait for their turn. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class DestinationTest extends DestinationCallsTest {
  @Test
  void calls_are_evenly_spaced_and_come_in_the_order_of_their_runs() {
    limit(psp().rate(10, Duration.ofSeconds(10)));
    Flow<Order, Receipt> flow = register(paying(this::answer));

    var runs = new ArrayList<RunHandle<Receipt>>();
    runs.add(hapax.start(flow, order("1")));
    runs.getFirst().await();
    runs.addAll(startAll(flow, "2", "3", "4", "5", "6"));
    moveUntil(Duration.ofMillis(100), () -> haveAllSucceeded(runs));

    assertThat(arrived()).containsExactly("1", "2", "3", "4", "5", "6");
    assertNotBefore(SECOND);
  }

  /** Time may move on between a turn and its call, so all are measured from the first. */
  private void assertNotBefore(Duration apart) {
    List<Instant> times = arrivals.stream().map(Arrival::at).toList();
    for (int i = 1; i < times.size(); i++) {
      assertThat(Duration.between(times.getFirst(), times.get(i)))
          .isGreaterThanOrEqualTo(apart.multipliedBy(i));
    }
  }

  @Test
  void a_run_whose_turn_is_far_leaves_memory_and_its_history_says_why() {
    limit(psp().rate(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow = register(paying(this::answer));
    hapax.start(flow, order("1")).await();

    RunHandle<Receipt> second = hapax.start(flow, order("2"));

    assertThat(awaitReleased(second).status()).isEqualTo(RunStatus.WAITING);
    assertThat(entry(second, "turn-awaited").decision())
        .isEqualTo("waits: destination 'psp': at most 1 per PT1H, and other calls come first");
    assertThat(entry(second, "turn-awaited").step()).isEqualTo("charge");
    assertThat(hapax.effects(hapax.effects())).hasSize(1); // nothing is intended yet
    moveAndAwait(Duration.ofHours(1), () -> haveAllSucceeded(List.of(second)));
    assertThat(types(second)).containsOnlyOnce("turn-awaited").containsOnlyOnce("intent");
  }

  @Test
  void no_burst_follows_a_time_in_which_no_run_could_go() {
    limit(psp().rate(1, Duration.ofMinutes(1)));
    Flow<Order, Receipt> flow = register(paying(this::answer));
    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4", "5");

    time.move(Duration.ofHours(1)); // all of their turns pass unused
    moveUntil(SECOND, () -> haveAllSucceeded(runs));

    List<Instant> late = arrivals.stream().map(Arrival::at).skip(1).toList();
    for (int i = 1; i < late.size(); i++) { // with some room for what passes before a call
      assertThat(Duration.between(late.get(i - 1), late.get(i)))
          .isGreaterThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void no_more_calls_are_under_way_than_allowed_and_a_free_place_is_taken_at_once() {
    limit(psp().calls(2));
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    var hold = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        register(
            paying(
                key -> {
                  most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                  awaitUninterruptibly(hold);
                  underWay.decrementAndGet();
                  return key;
                }));

    List<RunHandle<Receipt>> runs = startAll(flow, "1", "2", "3", "4", "5", "6");
    moveUntil(Duration.ofMillis(100), () -> state().waiting() == 4 && underWay.get() == 2);
    moveUntil(
        Duration.ofMillis(100),
        () -> runs.stream().skip(2).allMatch(run -> types(run).contains("turn-awaited")));
    assertThat(entry(runs.get(2), "turn-awaited").decision())
        .isEqualTo("waits: destination 'psp': 2 calls are under way, which is the limit");
    hold.countDown(); // and time does not move

    runs.forEach(RunHandle::await);
    assertThat(most).hasValue(2);
    assertThat(state().underWay()).isZero();
  }

  @Test
  void a_destination_that_hangs_slows_no_other() {
    limit(psp().calls(1));
    var hold = new CountDownLatch(1);
    Flow<Order, Receipt> slow =
        register(
            paying(
                key -> {
                  awaitUninterruptibly(hold);
                  return key;
                }));
    Flow<Order, Receipt> mail =
        register(
            orders("mail")
                .body(
                    (run, order) -> {
                      Effect<?> effect = Effect.notify(order.id()).keyed().to("smtp");
                      return new Receipt(
                          order.id(), run.effect("mail", effect, key -> key, String.class));
                    }));
    List<RunHandle<Receipt>> stuck = startAll(slow, "1", "2", "3", "4", "5", "6", "7", "8");

    for (int i = 0; i < 20; i++) {
      hapax.start(mail, order("m" + i)).await(); // time stands still
    }

    assertThat(arrived()).containsExactly("1");
    hold.countDown();
    moveUntil(SECOND, () -> haveAllSucceeded(stuck));
  }

  @Test
  void a_run_that_waits_can_be_canceled_and_nothing_is_sent() {
    limit(psp().breaker(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow = register(paying(this::answer));
    RunHandle<Receipt> first = trip(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("2"));
    awaitReleased(second);

    hapax.cancel(second.id(), "ann", null);

    awaitStatus(second, RunStatus.CANCELED);
    assertThat(arrived()).containsOnly("first");
    isDown.set(false);
    moveUntil(Duration.ofMinutes(1), () -> haveAllSucceeded(List.of(first)));
  }

  @Test
  void a_run_that_waits_too_long_times_out() {
    limit(psp().rate(1, Duration.ofDays(1)));
    Flow<Order, Receipt> flow =
        register(
            orders("hasty")
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) -> {
                      run.effect("charge", create(order).keyed().to("psp"), _ -> {});
                      return new Receipt(order.id(), "");
                    }));
    hapax.start(flow, order("1")).await();
    RunHandle<Receipt> second = hapax.start(flow, order("2"));
    awaitReleased(second);

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(second.id()).status() == RunStatus.FAILED);

    assertThat(errorOf(second).code()).isEqualTo("timeout");
    assertThat(hapax.effects(hapax.effects())).hasSize(1);
  }

  @Test
  void a_run_that_waits_while_its_process_dies_goes_on_in_the_next() {
    limit(psp().breaker(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow = register(paying(this::answer));
    RunHandle<Receipt> first = trip(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("2"));
    awaitReleased(second);

    crash(flow); // breakers begin closed
    isDown.set(false);
    moveUntil(Duration.ofMinutes(1), () -> haveAllSucceeded(List.of(first, second)));

    assertThat(arrived().stream().filter("2"::equals)).hasSize(1);
  }

  @Test
  void what_is_done_already_waits_for_no_turn() {
    limit(psp().breaker(1, Duration.ofHours(1)));
    Effect<?> shared = Effect.create("A").keyed().name("charge").to("psp");
    Flow<Order, Receipt> one = register(charging("one", shared, this::answer));
    Flow<Order, Receipt> two = register(charging("two", shared, this::answer));
    Receipt done = hapax.start(one, order("1")).await();
    trip(register(paying(this::answer)));

    assertThat(hapax.start(two, order("2")).await().key()).isEqualTo(done.key());
  }

  @Test
  void what_is_in_doubt_is_settled_when_its_turn_comes_also_if_the_run_is_canceled() {
    limit(psp().breaker(1, Duration.ofSeconds(30)));
    Flow<Order, Receipt> flow = register(paying(this::answer));
    RunHandle<Receipt> first = trip(flow);

    hapax.cancel(first.id(), "ann", null);
    awaitStatus(first, RunStatus.CANCELING);
    isDown.set(false);
    moveUntil(Duration.ofMillis(500), () -> hapax.run(first.id()).status() == RunStatus.CANCELED);

    assertThat(hapax.effects(hapax.effects()).getFirst().state().word()).isEqualTo("done");
  }

  @Test
  void items_of_a_loop_keep_to_the_rate_in_one_stay() {
    limit(psp().rate(1, SECOND));
    Flow<Order, Receipt> flow =
        register(
            orders("loop")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "items",
                          Each.of(List.of("a", "b", "c", "d", "e", "f"), key -> key).atOnce(3),
                          (item, key) ->
                              item.effect(
                                  "charge",
                                  Effect.create(key).keyed().to("psp"),
                                  _ -> {
                                    arrivals.add(new Arrival(key, time.now()));
                                  }));
                      return new Receipt(order.id(), "");
                    }));

    RunHandle<Receipt> run = hapax.start(flow, order("1"));
    eventually(() -> !arrivals.isEmpty());
    moveUntil(Duration.ofMillis(50), () -> haveAllSucceeded(List.of(run)));

    assertThat(arrivals).hasSize(6);
    assertNotBefore(SECOND);
    assertThat(types(run)).doesNotContain("turn-awaited");
  }

  @Test
  void an_undo_goes_where_its_effect_went_and_waits_as_it_does() {
    limit(psp().rate(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow =
        register(
            orders("saga")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.effect(
                          "charge",
                          create(order)
                              .keyed()
                              .to("psp")
                              .compensate(
                                  Undo.keyed(
                                      _ -> {
                                        arrivals.add(new Arrival("undo", time.now()));
                                      })),
                          _ -> {});
                      throw new IllegalStateException("no stock");
                    }));

    RunHandle<Receipt> run = hapax.start(flow, order("1"));

    eventually(() -> types(run).contains("turn-awaited"));
    awaitStatus(run, RunStatus.COMPENSATING);
    assertThat(arrivals).isEmpty();
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.COMPENSATED);
    assertThat(arrived()).containsExactly("undo");
  }

  @Test
  void what_only_reads_waits_for_its_turn_too() {
    limit(psp().rate(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow = register(asking(this::answer));
    hapax.start(flow, order("1")).await();

    RunHandle<Receipt> second = hapax.start(flow, order("2"));

    assertThat(awaitReleased(second).status()).isEqualTo(RunStatus.WAITING);
    assertThat(entry(second, "turn-awaited").step()).isEqualTo("balance");
    moveAndAwait(Duration.ofHours(1), () -> haveAllSucceeded(List.of(second)));
    assertThat(arrived()).containsExactly("1", "2");
  }
}
