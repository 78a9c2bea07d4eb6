package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a run did before a retry and its body does not come to any more: it is listed, and it is
 * undone with the rest.
 */
class LeftBehindTest extends SagaTest {
  private static final Duration PAUSE = Duration.ofDays(1);

  private void book(RunContext run, String step, String place) {
    run.effect(step, Effect.create(place).keyed().compensate(undo(place)), _ -> send(place));
  }

  /** Fails if there is nothing to pay, and waits otherwise. */
  private static Receipt end(RunContext run, Order order) {
    if (order.total() == 0) {
      throw new IllegalStateException("no money");
    }
    run.sleep("pause", PAUSE);
    return new Receipt(order.id(), "");
  }

  /** Fails with nothing to pay, goes on with these totals, waits, and is undone. */
  private RunHandle<Receipt> undone(Flow<Order, Receipt> flow, int... totals) {
    RunHandle<Receipt> run = hapax.start(flow, new Order("A-1", 0));
    awaitStatus(run, RunStatus.FAILED);
    for (int i = 0; i < totals.length; i++) {
      hapax.retry(run.id(), "ann", flow, new Order("A-1", totals[i]));
      awaitStatus(run, i < totals.length - 1 ? RunStatus.FAILED : RunStatus.WAITING);
    }
    hapax.cancelAndCompensate(run.id(), "ann", null);
    awaitStatus(run, RunStatus.COMPENSATED);
    return run;
  }

  @Test
  void the_same_step_with_another_effect_undoes_both() {
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      book(run, "book", order.total() == 0 ? "Rome" : "Oslo");
                      return end(run, order);
                    }));

    undone(flow, 40);

    assertThat(world).containsExactly("Rome", "Oslo", "undo-Oslo", "undo-Rome");
  }

  @Test
  void each_of_several_retries_leaves_something_behind() {
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      book(run, "to-" + order.total(), "place-" + order.total());
                      if (order.total() < 2) {
                        throw new IllegalStateException("no money");
                      }
                      return end(run, order);
                    }));

    undone(flow, 1, 2);

    assertThat(world)
        .containsExactly(
            "place-0", "place-1", "place-2", "undo-place-2", "undo-place-1", "undo-place-0");
  }

  @Test
  void what_was_sent_in_place_of_a_step_that_failed_is_undone() {
    trouble.put("ask", () -> new IllegalStateException("closed"));
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      try {
                        run.step("ask", () -> send("ask"), String.class);
                      } catch (StepFailed e) {
                        book(run, "otherwise", "bus");
                        throw e;
                      }
                      book(run, "then", "train");
                      return end(run, order);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.FAILED);
    trouble.clear();
    hapax.retry(run.id(), "ann");
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancelAndCompensate(run.id(), "ann", null);
    awaitStatus(run, RunStatus.COMPENSATED);

    assertThat(world).containsExactly("bus", "ask", "train", "undo-train", "undo-bus");
  }

  /** One parcel more than the total, or, with nothing to pay, three. */
  private Flow<Order, Receipt> parcels() {
    return orders("parcels")
        .body(
            (run, order) -> {
              int last = order.total() == 0 ? 2 : order.total();
              List<String> keys = IntStream.rangeClosed(0, last).mapToObj(i -> "p" + i).toList();
              run.forEach(
                  "each",
                  Each.of(keys, key -> key).atOnce(1),
                  (item, key) ->
                      item.forEach(
                          "parts",
                          Each.of(List.of("a"), part -> part),
                          (inner, part) -> book(inner, "ship", key + part)));
              return end(run, order);
            });
  }

  @Test
  void items_that_a_corrected_input_has_no_more_are_undone() {
    undone(register(parcels()), 1);

    assertThat(world).containsExactly("p0a", "p1a", "p2a", "undo-p2a", "undo-p1a", "undo-p0a");
  }

  @Test
  void items_that_a_corrected_input_has_no_more_are_listed_once() {
    var flow = register(parcels());
    RunHandle<Receipt> run = hapax.start(flow, new Order("A-1", 0));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann", flow, new Order("A-1", 1));
    awaitStatus(run, RunStatus.WAITING);
    time.move(PAUSE);
    awaitStatus(run, RunStatus.SUCCEEDED);

    List<HistoryEntry> left =
        run.history().stream().filter(e -> e.type().equals("left-behind")).toList();
    assertThat(left).extracting(HistoryEntry::key).containsExactly("p2a");
    assertThat(world).containsExactly("p0a", "p1a", "p2a");
  }

  @Test
  void an_interceptor_that_fails_around_an_earlier_body_does_not_close_the_engine() {
    var flow =
        orders("trip")
            .body(
                (run, order) -> {
                  book(run, "to-" + order.total(), "place-" + order.total());
                  return end(run, order);
                });
    try (Hapax own =
        Hapax.open(
            new MemoryStore(),
            HapaxOptions.DEFAULT.ports(time.ports()).interceptor(new FailingBeside()))) {
      own.register(flow);
      RunHandle<Receipt> run = own.start(flow, new Order("A-1", 0));
      eventually(() -> own.run(run.id()).status() == RunStatus.FAILED);
      own.retry(run.id(), "ann", flow, new Order("A-1", 1));
      eventually(() -> own.run(run.id()).status() == RunStatus.WAITING);

      own.cancelAndCompensate(run.id(), "ann", null);
      eventually(() -> own.run(run.id()).status() == RunStatus.FAILED);

      assertThat(own.run(run.id()).error()).isNotNull().asString().contains("undo-unknown");
      assertThat(own.isWritable()).isTrue();
    }
  }

  /** Tracing code that breaks on every thread beside the body's. */
  private static final class FailingBeside implements Interceptor {
    @Override
    public String send(Sending sending, Answering sender) throws Exception {
      return sender.send();
    }

    @Override
    public void stay(Stay stay, Runnable code) {
      if (stay.isBeside()) {
        throw new IllegalStateException("no trace");
      }
      code.run();
    }
  }

  @Test
  void the_journal_of_an_earlier_body_that_hangs_is_final() {
    var never = new CountDownLatch(1);
    var asks = new AtomicInteger();
    var flow =
        register(
            orders("trip")
                .body(
                    (run, order) -> {
                      book(run, "to-" + order.total(), "place-" + order.total());
                      if (order.total() == 0 && asks.getAndIncrement() > 0) {
                        awaitUninterruptibly(never);
                      }
                      return end(run, order);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, new Order("A-1", 0));
    awaitStatus(run, RunStatus.FAILED);
    hapax.retry(run.id(), "ann", flow, new Order("A-1", 1));
    awaitStatus(run, RunStatus.WAITING);

    hapax.cancelAndCompensate(run.id(), "ann", null);
    moveUntil(Duration.ofMinutes(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("place-0", "place-1", "undo-place-1", "undo-place-0");
    never.countDown();
  }
}
