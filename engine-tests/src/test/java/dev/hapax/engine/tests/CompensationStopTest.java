package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunCanceled;
import dev.hapax.RunHandle;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A run that is canceled or takes too long undoes what it has done, and nothing stops it then. */
class CompensationStopTest extends SagaTest {
  @Test
  void a_canceled_run_is_compensated_if_asked() {
    var flow = register(pausing(orders("trip")));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancelAndCompensate(run.id(), "ann", "wrong day");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight");
    assertThat(types(run)).containsSubsequence("cancel-requested", "compensation-started", "ended");
    assertThatThrownBy(run::await).isInstanceOf(RunCanceled.class);
  }

  @Test
  void a_canceled_run_is_not_compensated_unless_asked() {
    var flow = register(pausing(trips()));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancel(run.id(), "ann", "wrong day");

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(world).containsExactly("flight");
  }

  @Test
  void what_a_child_has_under_way_is_undone_with_its_caller() {
    var leg = register(pausing(orders("leg")));
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect("hotel", booking(order, undo("hotel")), _ -> send("hotel"));
                      return run.call("leg", leg, order);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    eventually(() -> world.contains("flight"));

    hapax.cancelAndCompensate(run.id(), "ann", "wrong day");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(hapax.run(hapax.id("leg", "A-1")).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("hotel", "flight", "undo-flight", "undo-hotel");
  }

  @Test
  void an_undo_of_a_canceled_run_is_retried() {
    var flow = register(pausing(orders("trip")));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    trouble.put("undo-flight", () -> new NotApplied("429"));
    hapax.cancelAndCompensate(run.id(), "ann", null);
    eventually(() -> types(run).contains("not-applied"));
    trouble.clear();

    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight");
  }

  @Test
  void a_cancel_does_not_stop_a_compensation_and_its_answer_says_so() {
    trouble.put("undo-car", () -> new NotApplied("429"));
    var flow = register(failingTrip());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> types(run).contains("not-applied"));
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATING);

    assertThatThrownBy(() -> hapax.cancel(run.id(), "ann", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("compensating");

    trouble.clear();
    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
  }

  @Test
  void a_run_that_is_being_canceled_plainly_is_not_compensated_later() {
    var attempt = new CountDownLatch(1);
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      run.effect(
                          "flight",
                          booking(order, undo("flight")),
                          _ -> {
                            awaitUninterruptibly(attempt);
                            send("flight");
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    hapax.cancel(run.id(), "ann", null);

    assertThatThrownBy(() -> hapax.cancelAndCompensate(run.id(), "bob", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("as ann requested");

    attempt.countDown();
    awaitStatus(run, RunStatus.CANCELED);
  }

  @Test
  void a_run_that_takes_too_long_is_compensated_and_its_time_stops_no_undo() {
    trouble.put("undo-flight", () -> new NotApplied("429"));
    var flow =
        register(
            trips()
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) -> {
                      run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      run.sleep("pause", Duration.ofDays(1));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(2), () -> types(run).contains("not-applied"));
    trouble.clear();

    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(errorOf(run).code()).isEqualTo("timeout");
    assertThat(world).containsExactly("flight", "undo-flight");
  }

  @Test
  void a_body_that_hangs_is_compensated_by_its_journal() {
    Signal never = time.signal();
    var flow =
        register(
            trips()
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) -> {
                      run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      never.await();
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> !world.isEmpty());

    moveAndAwait(Duration.ofHours(2), () -> types(run).contains("compensation-started"));
    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight");
    never.raise();
  }

  @Test
  void a_body_that_comes_back_while_its_run_is_undone_without_it_frees_no_place() {
    Signal body = time.signal();
    Signal undo = time.signal();
    var bodies = new AtomicInteger();
    Undo slow =
        Undo.keyed(
                _ -> {
                  send("undo-flight");
                  undo.await();
                })
            .timeout(Duration.ofDays(1));
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect("flight", booking(order, slow), _ -> send("flight"));
                      if (bodies.incrementAndGet() == 2) {
                        body.await();
                      }
                      throw new IllegalStateException("no hotel is left");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> bodies.get() == 2);
    moveUntil(Duration.ofMillis(50), () -> world.contains("undo-flight"));

    body.raise();
    moveSteps(20, Duration.ofMinutes(1)); // runs without a place here are looked for then
    var other = register(orders("other").body((_, order) -> new Receipt(order.id(), "")));
    hapax.start(other, order("B-1")).await();
    moveSteps(40, Duration.ofSeconds(1));
    undo.raise();

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(bodies).hasValue(2);
    assertThat(world).containsExactly("flight", "undo-flight");
    assertThat(types(run)).doesNotContain("doubt");
  }

  @Test
  void a_body_that_is_slow_to_be_replayed_is_waited_for() {
    Signal replay = time.signal();
    var bodies = new AtomicInteger();
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      if (bodies.incrementAndGet() > 1) {
                        replay.await();
                      }
                      run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      throw new IllegalStateException("no hotel is left");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> bodies.get() == 2);

    moveSteps(20, Duration.ofSeconds(3));
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATING);
    replay.raise();

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight");
  }
}
