package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A run that fails undoes what it has done, the last first. */
class CompensationTest extends SagaTest {
  @Test
  void what_was_done_is_undone_in_reverse_order_and_the_error_stays() {
    var flow = register(failingTrip());

    RunHandle<Receipt> run = compensated(flow);

    assertThat(world)
        .containsExactly("flight", "hotel", "car", "undo-car", "undo-hotel", "undo-flight");
    assertThat(errorOf(run).message()).contains("no money");
    assertThat(errorOf(run).retryable()).isFalse();
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
    assertThat(state("trip/hotel.undo")).isEqualTo(EffectState.DONE);
    assertThatThrownBy(run::await)
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("no money")
        .hasMessageContaining("undone");
  }

  @Test
  void the_history_shows_why_and_what_was_undone() {
    var flow = register(failingTrip());

    RunHandle<Receipt> run = compensated(flow);

    assertThat(types(run))
        .containsSubsequence("done", "compensation-started", "intent", "done", "ended");
    HistoryEntry started = entry(run, "compensation-started");
    assertThat(started.error()).contains("no money");
    HistoryEntry undone =
        run.history().stream()
            .filter(line -> "car.undo".equals(line.step()) && line.type().equals("done"))
            .findFirst()
            .orElseThrow();
    assertThat(undone.key()).isEqualTo("A-1");
    assertThat(undone.wireKey()).isEqualTo(effect("trip/car.undo").wireKey());
    assertThat(undone.guard()).isEqualTo("keyed");
  }

  @Test
  void the_undo_gets_the_result_and_a_key_of_its_own() {
    var keys = new CopyOnWriteArrayList<String>();
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      Receipt receipt =
                          run.effect(
                              "charge",
                              create(order)
                                  .keyed()
                                  .compensate(
                                      Receipt.class,
                                      done -> Undo.keyed(key -> keys.add(done.key() + " " + key))),
                              key -> new Receipt(order.id(), key),
                              Receipt.class);
                      throw new IllegalStateException("no stock for " + receipt.order());
                    }));

    compensated(flow);

    assertThat(keys)
        .containsExactly(
            effect("trip/charge").wireKey() + " " + effect("trip/charge.undo").wireKey());
  }

  @Test
  void what_says_nothing_about_its_undo_stays_done() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      run.effect("mail", create(order).keyed(), _ -> send("mail"));
                      throw new IllegalStateException("no money");
                    }));

    compensated(flow);

    assertThat(world).containsExactly("flight", "mail", "undo-flight");
    assertThat(state("trip/mail")).isEqualTo(EffectState.DONE);
  }

  @Test
  void a_flow_that_does_not_ask_for_it_fails_as_before() {
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      throw new IllegalStateException("no money");
                    }));

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(world).containsExactly("flight");
  }

  @Test
  void a_run_that_did_nothing_is_compensated_at_once() {
    var flow =
        register(
            trips()
                .body(
                    (_, _) -> {
                      throw new IllegalStateException("no money");
                    }));

    RunHandle<Receipt> run = compensated(flow);

    assertThat(types(run)).containsExactly("accepted", "compensation-started", "ended");
  }

  @Test
  void the_failed_effect_itself_is_not_undone() {
    trouble.put("hotel", () -> new Rejected("full", "no room"));
    var flow = register(failingTrip());

    RunHandle<Receipt> run = compensated(flow);

    assertThat(world).containsExactly("flight", "undo-flight");
    assertThat(errorOf(run).code()).isEqualTo("full");
    assertThat(errorOf(run).step()).isEqualTo("hotel");
  }

  @Test
  void what_the_body_did_after_it_caught_a_failure_is_undone_too() {
    trouble.put("hotel", () -> new Rejected("full", "no room"));
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      try {
                        run.effect("hotel", booking(order, undo("hotel")), _ -> send("hotel"));
                      } catch (RuntimeException e) {
                        run.effect("hostel", booking(order, undo("hostel")), _ -> send("hostel"));
                      }
                      run.effect("car", booking(order, undo("car")), _ -> send("car"));
                      throw new IllegalStateException("no money");
                    }));

    compensated(flow);

    assertThat(world).containsExactly("hostel", "car", "undo-car", "undo-hostel");
  }

  @Test
  void items_are_undone_too() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      for (String city : List.of("rome", "oslo")) {
                        run.item(city)
                            .effect(
                                "hotel",
                                Effect.create(city).keyed().compensate(undo(city)),
                                _ -> send(city));
                      }
                      throw new IllegalStateException("no money");
                    }));

    RunHandle<Receipt> run = compensated(flow);

    assertThat(world).containsExactly("rome", "oslo", "undo-oslo", "undo-rome");
    assertThat(run.history())
        .anyMatch(line -> "hotel.undo".equals(line.step()) && "rome".equals(line.item()));
  }

  @Test
  void items_of_a_loop_are_undone_in_the_reverse_order_of_their_completion() {
    trouble.put("bonn", () -> new Rejected("full", "no room"));
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.forEach(
                          "cities",
                          Each.of(List.of("rome", "bonn", "oslo"), city -> city).atOnce(1),
                          (item, city) ->
                              item.effect(
                                  "hotel",
                                  Effect.create(city).keyed().compensate(undo(city)),
                                  _ -> send(city)));
                      run.effect("car", booking(order, undo("car")), _ -> send("car"));
                      throw new IllegalStateException("no money");
                    }));

    compensated(flow);

    assertThat(world).containsExactly("rome", "oslo", "car", "undo-car", "undo-oslo", "undo-rome");
  }

  @Test
  void a_loop_that_did_not_end_is_undone_as_far_as_it_came() {
    var flow =
        register(
            trips()
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) -> {
                      run.forEach(
                          "cities",
                          Each.of(List.of("rome", "oslo"), city -> city).atOnce(1),
                          (item, city) -> {
                            item.effect(
                                "hotel",
                                Effect.create(city).keyed().compensate(undo(city)),
                                _ -> send(city));
                            item.sleep("pause", Duration.ofDays(1));
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndAwait(Duration.ofHours(2), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("rome", "oslo", "undo-oslo", "undo-rome");
  }

  @Test
  void branches_are_undone_in_the_reverse_order_in_which_the_journal_has_them_done() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.parallel(
                          List.<RunContext.Branch<String>>of(
                              air -> book(air, order, "flight"),
                              road -> book(road, order, "car"),
                              rail -> book(rail, order, "train")));
                      throw new IllegalStateException("no money");
                    }));

    RunHandle<Receipt> run = compensated(flow);

    List<String> done =
        run.history().stream()
            .filter(line -> line.type().equals("done"))
            .map(line -> String.valueOf(line.step()).replace(".undo", ""))
            .toList();
    assertThat(done).hasSize(6);
    assertThat(done.subList(3, 6)).isEqualTo(done.subList(0, 3).reversed());
  }

  private String book(RunContext run, Order order, String what) {
    run.effect(what, booking(order, undo(what)), _ -> send(what));
    return what;
  }

  @Test
  void a_replay_that_would_now_succeed_does_not_go_forward_again() {
    var fails = new AtomicBoolean(true);
    var undoing = new CountDownLatch(1);
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect(
                          "flight",
                          booking(
                              order,
                              Undo.upsert(
                                  _ -> {
                                    send("undo-flight");
                                    undoing.countDown();
                                    awaitUninterruptibly(
                                        new CountDownLatch(world.size() < 3 ? 1 : 0));
                                  })),
                          _ -> send("flight"));
                      if (fails.get()) {
                        throw new IllegalStateException("only this once");
                      }
                      run.callback("agreed");
                      run.effect("hotel", booking(order, undo("hotel")), _ -> send("hotel"));
                      return new Receipt(order.id(), "booked");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> undoing.getCount() == 0);
    fails.set(false);

    crash(flow);

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight", "undo-flight");
    assertThat(types(run)).doesNotContain("callback-opened");
  }

  @Test
  void a_step_that_does_something_else_after_a_retry_does_not_undo_what_had_failed() {
    var isFirst = new AtomicBoolean(true);
    Flow<Order, Receipt> flow =
        register(
            orders("corrected")
                .body(
                    (run, order) -> {
                      if (isFirst.get()) {
                        run.effect(
                            "send",
                            Effect.create(order.id()).keyed().compensate(Undo.keyed(_ -> {})),
                            _ -> {
                              throw new Rejected("declined", "declined");
                            });
                      }
                      run.effect("send", Effect.create(order.id()).keyed().name("points"), _ -> {});
                      run.sleep("nap", Duration.ofDays(1));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);
    isFirst.set(false);
    hapax.retry(run.id(), "ann", flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancelAndCompensate(run.id(), "ann", null);
    eventually(() -> hapax.run(run.id()).status().isEnd());

    assertThat(run.history()).noneMatch(line -> "send.undo".equals(line.step()));
  }
}
