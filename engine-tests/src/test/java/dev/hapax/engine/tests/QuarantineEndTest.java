package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Alert;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What people do with a run that is kept out of memory. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class QuarantineEndTest extends PoisonTest {
  @Test
  void a_cancel_ends_it_without_loading_it_and_a_compensation_waits_until_it_goes_on() {
    RunHandle<Receipt> run = quarantined(deadly());

    assertThatThrownBy(() -> hapax.cancelAndCompensate(run.id(), "ann", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("resume it first");
    assertThatThrownBy(() -> hapax.retry(run.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("resume it");
    hapax.cancel(run.id(), "ann", "not worth it");

    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(told(run, "cancel-requested")).hasSize(1);
    assertThat(entered.availablePermits()).isZero();
  }

  @Test
  void an_effect_under_way_is_shown_to_a_person_before_a_canceled_run_ends() {
    RunHandle<Receipt> run = quarantined(sendingDeadly());

    hapax.cancel(run.id(), "ann", null);
    assertThat(stored(run).status().isEnd()).isFalse();
    EffectRecord effect =
        hapax.effects(hapax.effects().state(EffectState.REVIEW)).stream().findFirst().orElseThrow();
    hapax.settle(effect.id(), Settlement.notHappened("not at the destination", "ann"));

    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(hapax.effect(effect.id()).state()).isEqualTo(EffectState.FAILED);
  }

  @Test
  void a_cancel_is_in_the_history_as_soon_as_it_is_accepted() {
    RunHandle<Receipt> run = quarantined(sendingDeadly());

    hapax.cancel(run.id(), "ann", "not worth it");

    assertThat(stored(run).status().isEnd()).isFalse();
    assertThat(told(run, "cancel-requested")).hasSize(1);
    hapax.cancel(run.id(), "bob", null);
    assertThat(told(run, "cancel-requested")).hasSize(1);
    settleAs(Settlement.notHappened("not at the destination", "ann"));
    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(told(run, "cancel-requested")).hasSize(1);
  }

  @Test
  void the_history_tells_that_an_effect_that_did_not_happen_ended_with_its_canceled_run() {
    RunHandle<Receipt> run = quarantined(sendingDeadly());
    hapax.cancel(run.id(), "ann", null);

    settleAs(Settlement.notHappened("not at the destination", "ann"));

    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(told(run, "failed"))
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.state()).isEqualTo("failed");
              assertThat(failed.revision()).isEqualTo(1);
            });
  }

  private void settleAs(Settlement settlement) {
    hapax.settle(effect(EffectState.REVIEW).id(), settlement);
  }

  @Test
  void a_cancel_that_another_caller_carries_out_is_accepted_all_the_same() throws Exception {
    Flow<Order, Receipt> flow = register(deadly());
    for (int i = 0; i < 5; i++) {
      RunHandle<Receipt> run = quarantined(flow, "A-" + i);
      var accepted = new ConcurrentLinkedQueue<String>();
      List<Thread> callers =
          List.of("ann", "bob").stream()
              .map(
                  name ->
                      Thread.startVirtualThread(
                          () -> {
                            try {
                              hapax.cancel(run.id(), name, null);
                              accepted.add(name);
                            } catch (NotPossible e) {
                              // the other one was faster
                            }
                          }))
              .toList();
      for (Thread caller : callers) {
        caller.join();
      }

      assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
      assertThat(accepted).contains(cancel(run.id()).actor());
    }
  }

  @Test
  void a_run_that_is_resumed_after_its_cancel_ends_as_canceled_when_all_is_settled() {
    Flow<Order, Receipt> flow = register(twoAtOnce());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    for (int i = 0; i < 2; i++) {
      awaitInside();
      awaitInside();
      kill(flow);
    }
    moveUntil(() -> stored(run).isQuarantined());
    hapax.cancel(run.id(), "ann", null);
    List<EffectRecord> inReview = hapax.effects(hapax.effects().state(EffectState.REVIEW));
    assertThat(inReview).hasSize(2);
    hapax.settle(inReview.getFirst().id(), Settlement.notHappened("not there", "ann"));
    assertThat(stored(run).isQuarantined()).isTrue();
    isHarmless.set(true);
    hapax.resume(run.id(), "ann", null);
    hapax.settle(inReview.getLast().id(), Settlement.happened("there", "found", "ann"));

    moveUntil(() -> stored(run).status() == RunStatus.CANCELED);
    assertThat(hapax.effect(inReview.getFirst().id()).state().isOpen()).isFalse();
  }

  private Flow<Order, Receipt> twoAtOnce() {
    return orders("deadly")
        .body(
            (run, order) -> {
              run.parallel(List.of(sends("one", order), sends("two", order)));
              return new Receipt(order.id(), "both");
            });
  }

  private RunContext.Branch<String> sends(String name, Order order) {
    return branch -> branch.effect(name, create(order).keyed(), _ -> work(order), String.class);
  }

  private Flow<Order, Receipt> deadlyUndo() {
    return orders("deadly")
        .body(
            (run, order) -> {
              Undo undo = Undo.keyed(_ -> work(order));
              run.effect("book", create(order).keyed().compensate(undo), _ -> {});
              run.sleep("nap", Duration.ofDays(1));
              return new Receipt(order.id(), "never");
            });
  }

  /** The run undoes its effect, and the process ends at that. */
  private RunHandle<Receipt> quarantinedWhileItUndoes() {
    Flow<Order, Receipt> flow = register(deadlyUndo());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    hapax.cancelAndCompensate(run.id(), "ann", null);
    killInside(flow);
    killInside(flow);
    moveUntil(() -> stored(run).isQuarantined());
    return run;
  }

  @Test
  void a_run_that_has_begun_to_undo_its_effects_goes_on_to_undo_them_and_is_not_canceled() {
    RunHandle<Receipt> run = quarantinedWhileItUndoes();

    assertThatThrownBy(() -> hapax.cancel(run.id(), "bob", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("resume it");
    assertThat(stored(run).isQuarantined()).isTrue();
    isHarmless.set(true);
    hapax.resume(run.id(), "ann", null);

    moveUntil(() -> stored(run).status() == RunStatus.COMPENSATED);
    assertThat(told(run, "cancel-requested")).hasSize(1);
  }

  @Test
  void a_run_that_is_to_undo_its_effects_is_not_canceled_without() {
    Flow<Order, Receipt> flow = sendingDeadly();
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitInside();
    kill(flow);
    awaitInside();
    hapax.cancelAndCompensate(run.id(), "ann", null);
    kill(flow);
    moveUntil(() -> stored(run).isQuarantined());

    assertThatThrownBy(() -> hapax.cancel(run.id(), "bob", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("resume it");
    isHarmless.set(true);
    hapax.resume(run.id(), "ann", null);

    moveUntil(() -> stored(run).status().isEnd());
    assertThat(stored(run).status()).isEqualTo(RunStatus.COMPENSATED);
  }

  @Test
  void a_cancel_that_came_before_the_quarantine_ends_the_run() {
    Flow<Order, Receipt> flow = deadly();
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    killInside(flow);
    awaitInside();
    hapax.cancel(run.id(), "ann", null);
    kill(flow);

    moveUntil(() -> stored(run).status() == RunStatus.CANCELED);

    assertThat(told(run, "cancel-requested")).isNotEmpty();
  }

  @Test
  void people_are_alerted_once() {
    var alerts = new ConcurrentLinkedQueue<OutgoingMessage>();
    Flow<Order, Receipt> flow = register(deadly());
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    killInside(flow);
    awaitInside();
    process.die();
    hapax =
        Hapax.open(
            revived(),
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .alerts("people", Alert.QUARANTINED));
    hapax.outbox().courier("people", alerts::add);
    hapax.register(flow);
    moveUntil(() -> !alerts.isEmpty());
    moveSteps(20, SECOND);

    assertThat(alerts)
        .singleElement()
        .satisfies(
            alert -> {
              assertThat(alert.type()).isEqualTo("hapax.alert.quarantined");
              assertThat(alert.json()).contains(run.id(), "processes in a row");
            });
  }
}
