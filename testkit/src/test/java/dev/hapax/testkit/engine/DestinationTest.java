package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Read;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a destination bears: a rate, calls at once, a circuit breaker, a wish to be left alone. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class DestinationTest extends EngineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isDown = new AtomicBoolean();

  private record Arrival(String order, Instant at) {}

  /** A flow of one effect to the destination "psp". */
  private Flow<Order, Receipt> paying(RunContext.Sender<String> psp) {
    return orders("pay")
        .body(
            (run, order) -> {
              Effect<?> charge = patient(order).retry(retries(10)).to("psp");
              return new Receipt(
                  order.id(),
                  run.effect("charge", charge, key -> call(order, psp, key), String.class));
            });
  }

  /** Time goes by in large steps, also while a call is under way. */
  private static Effect<?> patient(Order order) {
    return create(order).keyed(Duration.ofDays(1000)).timeout(Duration.ofDays(100));
  }

  private String call(Order order, RunContext.Sender<String> psp, String key) throws Exception {
    arrivals.add(new Arrival(order.id(), time.now()));
    return psp.send(key);
  }

  /** It does not answer while it is down. */
  private String answer(String key) {
    if (isDown.get()) {
      throw new IllegalStateException("reset");
    }
    return key;
  }

  private void limit(Destination destination) {
    hapax.destinations().register(destination);
  }

  private static Destination psp() {
    return Destination.of("psp");
  }

  private DestinationLimiter.State state() {
    return Objects.requireNonNull(hapax.destinations().states().get("psp"));
  }

  /** Each after the one before it has called or stands in line: they arrive in this order. */
  private List<RunHandle<Receipt>> startAll(Flow<Order, Receipt> flow, String... ids) {
    var runs = new ArrayList<RunHandle<Receipt>>();
    int before = arrivals.size() + state().waiting();
    for (String id : ids) {
      runs.add(startMovingTime(flow, order(id)));
      moveUntil(
          Duration.ofMillis(10), () -> arrivals.size() + state().waiting() >= before + runs.size());
    }
    return runs;
  }

  private boolean haveAllSucceeded(List<RunHandle<Receipt>> runs) {
    return runs.stream().allMatch(run -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  private List<String> arrived() {
    return arrivals.stream().map(Arrival::order).toList();
  }

  /** Opens the breaker by a run whose calls fail, and returns that run. */
  private RunHandle<Receipt> trip(Flow<Order, Receipt> flow) {
    isDown.set(true);
    RunHandle<Receipt> first = startMovingTime(flow, order("first"));
    moveUntil(SECOND, () -> state().breaker().equals("open"));
    awaitReleased(first);
    return first;
  }

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
        .isEqualTo("waits: destination 'psp': at most 1 per PT1H, and others were before");
    assertThat(entry(second, "turn-awaited").step()).isEqualTo("charge");
    assertThat(hapax.effects(hapax.effects())).hasSize(1); // nothing is intended yet
    moveAndAwait(Duration.ofHours(1), () -> haveAllSucceeded(List.of(second)));
    assertThat(types(second)).containsOnlyOnce("turn-awaited").containsOnlyOnce("intent");
  }

  @Test
  void no_burst_follows_a_time_in_which_nobody_could_go() {
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
  void no_more_calls_are_under_way_than_it_bears_and_a_free_place_is_taken_at_once() {
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
        .isEqualTo("waits: destination 'psp': 2 calls are under way, the most at once");
    hold.countDown(); // and time stands still

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
  void an_open_breaker_lets_runs_wait_and_one_probe_closes_it() {
    limit(psp().breaker(3, Duration.ofHours(1)));
    var probing = new CountDownLatch(1);
    var probed = new CountDownLatch(1);
    var calls = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            paying(
                key -> {
                  if (!isDown.get() && calls.incrementAndGet() == 1) {
                    probing.countDown();
                    awaitUninterruptibly(probed);
                  }
                  return answer(key);
                }));
    RunHandle<Receipt> first = trip(flow);
    List<RunHandle<Receipt>> others = startAll(flow, "2", "3", "4");
    assertThat(arrived()).containsExactly("first", "first", "first");
    assertThat(hapax.effects(hapax.effects())).hasSize(1);
    assertThat(entry(others.get(0), "turn-awaited").decision())
        .isEqualTo(
            "waits: destination 'psp': its circuit breaker is open after 3 failures in a row");

    isDown.set(false);
    moveUntil(Duration.ofMinutes(1), () -> probing.getCount() == 0);
    moveSteps(20, Duration.ofMillis(10));
    assertThat(arrivals).hasSize(4); // one tries, the others wait for what it hears
    assertThat(state().breaker()).isEqualTo("half-open");
    probed.countDown();

    others.forEach(RunHandle::await); // called, though time stands still
    moveUntil(SECOND, () -> haveAllSucceeded(List.of(first)));
    assertThat(state().breaker()).isEqualTo("closed");
  }

  @Test
  void a_probe_that_fails_leaves_it_open_and_waiting_costs_no_attempts() {
    limit(psp().breaker(2, Duration.ofHours(1)));
    Flow<Order, Receipt> flow =
        register(
            orders("pay")
                .body(
                    (run, order) -> {
                      Effect<?> charge =
                          patient(order).retry(retries(10).within(Duration.ofDays(90))).to("psp");
                      return new Receipt(
                          order.id(),
                          run.effect(
                              "charge",
                              charge,
                              key -> call(order, this::answer, key),
                              String.class));
                    }));
    RunHandle<Receipt> first = trip(flow);

    moveUntil(Duration.ofMinutes(2), () -> arrivals.size() == 4);

    Instant second = arrivals.stream().toList().get(1).at();
    for (Arrival probe : arrivals.stream().skip(2).toList()) {
      assertThat(Duration.between(second, probe.at())).isGreaterThanOrEqualTo(Duration.ofHours(1));
      second = probe.at();
    }
    isDown.set(false);
    moveUntil(Duration.ofMinutes(2), () -> haveAllSucceeded(List.of(first)));
    EffectRecord charge = hapax.effects(hapax.effects()).getFirst();
    assertThat(charge.attempts()).isEqualTo(arrivals.size()).isLessThan(10);
  }

  @Test
  void a_refusal_is_an_answer_and_opens_nothing() {
    limit(psp().breaker(1, Duration.ofHours(1)));
    Flow<Order, Receipt> flow =
        register(
            paying(
                _ -> {
                  throw new Rejected("card-declined", "no money");
                }));

    awaitStatus(hapax.start(flow, order("1")), RunStatus.FAILED);

    assertThat(state().breaker()).isEqualTo("closed");
  }

  /** The first call is turned away with the wish to be left alone for this long. */
  private Flow<Order, Receipt> askingForRest(Duration rest) {
    var wishes = new AtomicInteger(1);
    return paying(
        key -> {
          if (wishes.getAndDecrement() > 0) {
            throw new NotApplied("429", rest, null);
          }
          return key;
        });
  }

  @Test
  void a_wish_to_be_left_alone_holds_for_every_run() {
    Flow<Order, Receipt> flow = register(askingForRest(Duration.ofMinutes(10)));
    RunHandle<Receipt> first = hapax.start(flow, order("1"));
    awaitReleased(first);

    RunHandle<Receipt> second = hapax.start(flow, order("2")); // no limits are registered

    assertThat(entry(second, "turn-awaited").decision())
        .isEqualTo("waits: destination 'psp': it asked to be left alone");
    moveSteps(5, Duration.ofMinutes(1));
    assertThat(arrivals).hasSize(1);
    moveUntil(Duration.ofMinutes(1), () -> haveAllSucceeded(List.of(first, second)));
    assertThat(arrivals.stream().skip(1).map(Arrival::at))
        .allSatisfy(
            at ->
                assertThat(Duration.between(arrivals.element().at(), at))
                    .isGreaterThanOrEqualTo(Duration.ofMinutes(10)));
  }

  @Test
  void a_wish_beyond_the_retries_is_kept_only_within_them() {
    Flow<Order, Receipt> flow = register(askingForRest(Duration.ofDays(3650)));

    RunHandle<Receipt> first = hapax.start(flow, order("1"));
    awaitStatus(first, RunStatus.FAILED);
    assertThat(errorOf(first).code()).isEqualTo("not-applied");
    RunHandle<Receipt> second = hapax.start(flow, order("2"));

    moveAndAwait(Duration.ofHours(1), () -> haveAllSucceeded(List.of(second)));
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

  @Test
  void reads_that_fail_open_the_breaker_and_one_that_is_answered_closes_it() {
    limit(psp().breaker(3, Duration.ofMinutes(1)));
    Flow<Order, Receipt> flow = register(asking(this::answer));

    RunHandle<Receipt> first = trip(flow);

    assertThat(arrivals).hasSize(3);
    isDown.set(false);
    moveUntil(SECOND, () -> haveAllSucceeded(List.of(first)));
    assertThat(state().breaker()).isEqualTo("closed");
  }

  @Test
  void a_read_that_is_asked_to_wait_keeps_all_others_away() {
    limit(psp().calls(100));
    var isBusy = new AtomicBoolean(true);
    Flow<Order, Receipt> flow =
        register(
            asking(
                key -> {
                  if (isBusy.getAndSet(false)) {
                    throw new NotApplied("busy", Duration.ofMinutes(5), null);
                  }
                  return key;
                }));

    RunHandle<Receipt> first = hapax.start(flow, order("1"));
    awaitReleased(first);
    RunHandle<Receipt> second = hapax.start(flow, order("2"));
    moveUntil(SECOND, () -> haveAllSucceeded(List.of(first, second)));

    List<Instant> times = arrivals.stream().map(Arrival::at).toList();
    assertThat(Duration.between(times.get(0), times.get(1)))
        .isGreaterThanOrEqualTo(Duration.ofMinutes(5));
  }

  /** A flow that only asks the destination "psp". */
  private Flow<Order, Receipt> asking(RunContext.Sender<String> psp) {
    return orders("ask")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.read(
                        "balance",
                        Read.retried(retries(10)).to("psp"),
                        () -> call(order, psp, order.id()),
                        String.class)));
  }
}
