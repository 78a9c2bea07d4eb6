package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import dev.hapax.flow.WaitState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An undo that fails for good ends the run, and a retry goes on with it. */
class UndoFailureTest extends SagaTest {
  @Test
  void an_undo_that_is_refused_ends_the_run_and_names_what_is_still_done() {
    trouble.put("undo-hotel", () -> new Rejected("too-late", "checked in"));
    var flow = register(failingTrip());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    awaitStatus(run, RunStatus.FAILED);

    assertThat(errorOf(run).code()).isEqualTo("compensation-failed");
    assertThat(errorOf(run).step()).isEqualTo("hotel.undo");
    assertThat(errorOf(run).message())
        .contains("too-late")
        .contains("checked in")
        .contains("'trip/hotel' 'A-1', 'trip/flight' 'A-1'")
        .contains("no money")
        .doesNotContain("'trip/car'");
    assertThat(world).containsExactly("flight", "hotel", "car", "undo-car");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.DONE);
    assertThat(state("trip/hotel.undo")).isEqualTo(EffectState.FAILED);
    assertThat(state("trip/car")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void a_retry_goes_on_undoing_and_never_forward() {
    trouble.put("undo-hotel", () -> new Rejected("too-late", "checked in"));
    var flow = register(failingTrip());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.FAILED);
    assertThatThrownBy(() -> hapax.retry(run.id(), "ann", flow, new Order("A-1", 41)))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("corrected input");
    trouble.clear();

    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world)
        .containsExactly("flight", "hotel", "car", "undo-car", "undo-hotel", "undo-flight");
    assertThat(errorOf(run).message()).contains("no money");
    assertThatThrownBy(() -> hapax.retry(run.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("undone");
  }

  @Test
  void a_callback_that_expired_before_needs_no_answer_when_a_retry_has_undone_the_rest() {
    trouble.put("undo-flight", () -> new Rejected("too-late", "checked in"));
    var token = new AtomicReference<>("");
    var flow =
        register(
            trips()
                .body(
                    (body, order) -> {
                      body.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                      token.set(body.callback("paid"));
                      return new Receipt(
                          order.id(), body.awaitCallback("paid", Duration.ofDays(3), String.class));
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    moveUntil(Duration.ofDays(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);
    trouble.clear();

    hapax.retry(run.id(), "ann");
    awaitStatus(run, RunStatus.COMPENSATED);

    assertThat(hapax.callbacks().answer(token.get(), "too late").state())
        .isEqualTo(WaitState.CLOSED);
  }

  @Test
  void retries_that_end_not_applied_end_in_the_same_state() {
    trouble.put("undo-car", () -> new NotApplied("429"));
    var flow = register(failingTrip());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    moveUntil(Duration.ofMillis(50), () -> hapax.run(run.id()).status().isEnd());

    assertThat(errorOf(run).code()).isEqualTo("compensation-failed");
    assertThat(errorOf(run).message()).contains("not-applied").contains("429");
    assertThat(state("trip/car")).isEqualTo(EffectState.DONE);
  }

  @Test
  void what_was_undone_by_hand_is_settled_and_the_rest_goes_on() {
    trouble.put("undo-hotel", () -> new Rejected("too-late", "checked in"));
    var flow = register(failingTrip());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.settleStep(run.id(), "hotel.undo", null, null, "called them", "ann");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "hotel", "car", "undo-car", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
    assertThat(state("trip/hotel.undo")).isEqualTo(EffectState.DONE);
  }

  @Test
  void an_undo_that_cannot_be_made_of_the_result_fails_the_compensation() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect(
                          "flight",
                          create(order)
                              .keyed()
                              .compensate(
                                  String.class,
                                  ticket -> {
                                    String number = ticket.substring(100);
                                    return Undo.keyed(_ -> send(number));
                                  }),
                          _ -> send("flight"),
                          String.class);
                      throw new IllegalStateException("no money");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));

    awaitStatus(run, RunStatus.FAILED);

    assertThat(errorOf(run).code()).isEqualTo("compensation-failed");
    assertThat(errorOf(run).message()).contains("undo-unknown");
    assertThat(state("trip/flight")).isEqualTo(EffectState.DONE);
    hapax.settleStep(run.id(), "flight.undo", null, null, "called them", "ann");
    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(state("trip/flight")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void a_mismatch_of_code_and_journal_undoes_nothing() {
    var flow = register(pausing(trips()));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    var other =
        trips()
            .body(
                (body, order) -> {
                  body.sleep("flight", Duration.ofDays(1));
                  return new Receipt(order.id(), "");
                });
    crash(other);

    moveUntil(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(world).containsExactly("flight");
  }
}
