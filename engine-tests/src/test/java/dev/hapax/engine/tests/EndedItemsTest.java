package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A retry leaves items alone that have ended well, and a later compensation undoes them. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class EndedItemsTest extends SagaTest {
  private final AtomicBoolean isOpen = new AtomicBoolean();

  /** The work of one item. */
  private interface Work {
    void handle(RunContext item, String one) throws Exception;
  }

  /** Handles two items, then fails until the door is open, and then pauses for a day. */
  private Flow<Order, Receipt> trips(Work work) {
    return orders("trip")
        .body(
            (run, order) -> {
              run.forEach("cities", Each.of(List.of("rome", "oslo"), one -> one), work::handle);
              run.step(
                  "door",
                  () -> {
                    if (!isOpen.get()) {
                      throw new IllegalStateException("closed");
                    }
                    return "open";
                  },
                  String.class);
              run.sleep("pause", Duration.ofDays(1));
              return new Receipt(order.id(), "");
            });
  }

  private void book(RunContext item, String one) {
    item.effect("hotel", booking(new Order(one, 1), undo(one)), _ -> send(one));
  }

  private static void passOver(RunContext run) {
    try {
      run.step(
          "guide",
          () -> {
            throw new IllegalStateException("no guide");
          },
          String.class);
    } catch (StepFailed e) {
      // the trip goes on without a guide
    }
  }

  private void mustUndoAll(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    awaitStatus(run, RunStatus.FAILED);
    isOpen.set(true);
    hapax.retry(run.id(), "ann");
    awaitStatus(run, RunStatus.WAITING);

    crash(flow);
    hapax.cancelAndCompensate(run.id(), "ann", "no trip");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactlyInAnyOrder("rome", "oslo", "undo-rome", "undo-oslo");
  }

  @Test
  void a_failure_that_an_item_passed_over_does_not_stop_a_compensation_after_a_retry() {
    mustUndoAll(
        trips(
            (item, one) -> {
              passOver(item);
              book(item, one);
            }));
  }

  @Test
  void a_lock_of_an_item_that_has_ended_does_not_stop_a_compensation_after_a_retry() {
    mustUndoAll(
        trips(
            (item, one) ->
                item.locked(
                    "desk",
                    "the desk",
                    _ -> {
                      book(item, one);
                      return "booked";
                    })));
  }

  @Test
  void a_failure_passed_over_in_an_inner_item_does_not_stop_a_compensation_after_a_retry() {
    mustUndoAll(
        trips(
            (item, one) ->
                item.forEach(
                    "days",
                    Each.of(List.of("1"), day -> day),
                    (inner, _) -> {
                      passOver(inner);
                      book(inner, one);
                    })));
  }

  @Test
  void an_item_that_failed_is_handled_again_with_the_failures_that_it_passed_over() {
    var guides = new java.util.concurrent.CopyOnWriteArrayList<String>();
    Flow<Order, Receipt> flow =
        orders("trip")
            .body(
                (run, order) -> {
                  run.forEach(
                      "cities",
                      Each.of(List.of("rome"), one -> one),
                      (item, one) -> {
                        try {
                          item.step(
                              "guide",
                              () -> {
                                guides.add(one);
                                throw new IllegalStateException("no guide");
                              },
                              String.class);
                        } catch (StepFailed e) {
                          // goes on
                        }
                        if (!isOpen.get()) {
                          item.step(
                              "door",
                              () -> {
                                throw new IllegalStateException("closed");
                              },
                              String.class);
                        }
                      });
                  return new Receipt(order.id(), "");
                });
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    awaitStatus(run, RunStatus.PARTIAL);
    isOpen.set(true);
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(guides).hasSize(2);
  }
}
