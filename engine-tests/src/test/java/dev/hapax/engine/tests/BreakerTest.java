package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A destination that fails is left alone for a while. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class BreakerTest extends DestinationCallsTest {
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

    others.forEach(RunHandle::await); // called, though time does not move
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

  /** The first call is refused, and asks for a pause of this length. */
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
        .isEqualTo("waits: destination 'psp': the destination asked for a pause");
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
}
