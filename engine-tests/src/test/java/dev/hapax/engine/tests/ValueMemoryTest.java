package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.limit.ValueMemory;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs with large values wait for memory, and none of them fails or waits for ever. */
@Timeout(60)
class ValueMemoryTest extends EngineTest {
  /** Room for the results of four of the steps below. */
  private static final HapaxOptions LITTLE =
      HapaxOptions.DEFAULT.closeWithin(Duration.ZERO).nodeBytes(1_000_000);

  private static final String LARGE = "x".repeat(100_000);

  private final AtomicInteger sent = new AtomicInteger();

  /** Three effects whose results stay in memory. */
  private Flow<Order, Receipt> heavy(String name) {
    return orders(name)
        .body(
            (run, order) -> {
              var results = new ArrayList<String>();
              for (int i = 0; i < 3; i++) {
                results.add(send(run, "send" + i, order.id() + "/" + i));
              }
              return new Receipt(order.id(), Integer.toString(results.size()));
            });
  }

  private String send(RunContext run, String step, String key) {
    return run.effect(
        step,
        Effect.create(key).keyed(),
        _ -> {
          sent.incrementAndGet();
          return LARGE;
        },
        String.class);
  }

  @Test
  void runs_that_need_more_than_there_is_take_turns_and_send_once() {
    try (Hapax small = Hapax.open(new MemoryStore(), LITTLE)) {
      Flow<Order, Receipt> flow = heavy("heavy");
      small.register(flow);

      List<RunHandle<Receipt>> runs =
          IntStream.range(0, 20).mapToObj(i -> small.start(flow, order("A" + i))).toList();

      for (RunHandle<Receipt> run : runs) {
        assertThat(run.await(Duration.ofSeconds(30)).key()).isEqualTo("3");
      }
      assertThat(sent.get()).isEqualTo(60);
    }
  }

  @Test
  void a_run_with_small_values_does_not_wait_for_those_with_large_ones() throws Exception {
    var held = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    Flow<Order, Receipt> holding =
        orders("holding")
            .body(
                (run, order) -> {
                  for (int i = 0; i < 3; i++) {
                    send(run, "send" + i, order.id() + "/" + i);
                  }
                  held.countDown();
                  run.step(
                      "hold",
                      () -> {
                        release.await();
                        return "done";
                      },
                      String.class);
                  return new Receipt(order.id(), "held");
                });
    Flow<Order, Receipt> plain =
        orders("plain").body((_, order) -> new Receipt(order.id(), "small"));
    try (Hapax small = Hapax.open(new MemoryStore(), LITTLE)) {
      small.register(holding);
      small.register(plain);
      Flow<Order, Receipt> heavy = heavy("heavy");
      small.register(heavy);
      RunHandle<Receipt> first = small.start(holding, order("A"));
      held.await();
      RunHandle<Receipt> waiting = small.start(heavy, order("B"));

      assertThat(small.start(plain, order("C")).await(Duration.ofSeconds(20)).key())
          .isEqualTo("small");
      eventually(() -> small.run(waiting.id()).status() == RunStatus.WAITING);
      assertThat(small.history(waiting.id()))
          .anyMatch(
              entry ->
                  entry.type().equals("turn-awaited")
                      && String.valueOf(entry.decision()).contains("memory for values"));
      release.countDown();

      assertThat(first.await(Duration.ofSeconds(20)).key()).isEqualTo("held");
      assertThat(waiting.await(Duration.ofSeconds(20)).key()).isEqualTo("3");
    }
  }

  @Test
  void a_run_may_have_a_limit_and_the_step_that_exceeds_it_fails() {
    try (Hapax small = Hapax.open(new MemoryStore(), LITTLE.runBytes(500_000))) {
      Flow<Order, Receipt> flow =
          orders("greedy")
              .body(
                  (run, order) -> {
                    send(run, "first", order.id() + "/1");
                    send(run, "second", order.id() + "/2");
                    try {
                      send(run, "third", order.id() + "/3");
                      return new Receipt(order.id(), "all");
                    } catch (StepFailed e) {
                      return new Receipt(order.id(), e.code() + " " + e.step());
                    }
                  });
      small.register(flow);

      assertThat(small.start(flow, order("A")).await(Duration.ofSeconds(20)).key())
          .isEqualTo("value-too-large third");
    }
  }

  @Test
  void the_values_of_an_item_are_given_back_when_it_ends() {
    try (Hapax small = Hapax.open(new MemoryStore(), LITTLE.runBytes(700_000))) {
      Flow<Order, Receipt> flow =
          orders("items")
              .body(
                  (run, order) -> {
                    List<Integer> many = IntStream.range(0, 50).boxed().toList();
                    var done =
                        run.forEach(
                            "each",
                            Each.of(many, String::valueOf).atOnce(2),
                            (item, number) -> send(item, "send", order.id() + "/" + number));
                    return new Receipt(order.id(), Long.toString(done.succeeded()));
                  });
      small.register(flow);

      assertThat(small.start(flow, order("A")).await(Duration.ofSeconds(30)).key()).isEqualTo("50");
      assertThat(sent.get()).isEqualTo(50);
    }
  }

  @Test
  void memory_is_taken_in_turns_and_always_given_back() {
    var memory = new ValueMemory(1_000, 900);
    memory.enter(1);
    memory.enter(2);

    assertThat(memory.take(1, 500)).isEqualTo(ValueMemory.Answer.TAKEN);
    assertThat(memory.take(2, 200)).isEqualTo(ValueMemory.Answer.TAKEN);
    assertThat(memory.take(1, 500)).isEqualTo(ValueMemory.Answer.TOO_MUCH);
    assertThat(memory.take(2, 400)).isEqualTo(ValueMemory.Answer.NO_ROOM);
    memory.leave(2);
    assertThat(memory.hasRoomFor(2)).isFalse();
    assertThat(memory.hasRoomFor(3)).isTrue();
    memory.leave(1);
    assertThat(memory.taken()).isZero();
    assertThat(memory.hasRoomFor(2)).isTrue();
    memory.enter(2);
    assertThat(memory.taken()).isEqualTo(600);
    assertThat(memory.take(2, 600)).isEqualTo(ValueMemory.Answer.TAKEN);
    assertThat(memory.taken()).isEqualTo(600);
    memory.giveBack(2, 100);
    memory.leave(2);
    assertThat(memory.taken()).isZero();
  }
}
