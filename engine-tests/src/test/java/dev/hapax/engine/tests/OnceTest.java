package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.KeyReused;
import dev.hapax.Once;
import dev.hapax.RunFailed;
import dev.hapax.RunInReview;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An effect without a flow, in Java. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class OnceTest extends EngineTest {
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private volatile @Nullable Exception trouble;

  private Once<Order, Receipt> charge(Function<Order, Effect<Order>> effect) {
    return hapax.once("charge", Order.class, Receipt.class, effect, this::send);
  }

  private Receipt send(String key, Order order) throws Exception {
    sent.add(key + " " + order.total());
    Exception now = trouble;
    trouble = null;
    if (now != null) {
      throw now;
    }
    return new Receipt(order.id(), key);
  }

  private static Effect<Order> keyed(Order order) {
    return Effect.create(order.id()).request(order).keyed().retry(retries(3));
  }

  @Test
  void a_call_that_is_repeated_gets_the_recorded_result() {
    Once<Order, Receipt> charge = charge(OnceTest::keyed);

    Receipt first = charge.call(order("A"));

    assertThat(charge.call(order("A"))).isEqualTo(first);
    assertThat(charge.call(order("B"))).isNotEqualTo(first);
    assertThat(sent).hasSize(2);
    assertThatThrownBy(() -> charge.call(new Order("A", 50)))
        .isInstanceOf(KeyReused.class)
        .hasMessageContaining("total");
    assertThat(sent).hasSize(2);
  }

  @Test
  void many_callers_of_one_key_share_one_send() throws Exception {
    var open = new CountDownLatch(1);
    Once<Order, Receipt> charge =
        hapax.once(
            "charge",
            Order.class,
            Receipt.class,
            order -> Effect.create(order.id()).request(order).unguarded(),
            (key, order) -> {
              awaitUninterruptibly(open);
              return send(key, order);
            });
    List<Future<Receipt>> calls = new ArrayList<>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 256; i++) {
        calls.add(callers.submit(() -> charge.call(order("A"))));
      }
      open.countDown();
      for (Future<Receipt> call : calls) {
        assertThat(call.get()).isEqualTo(calls.getFirst().get());
      }
    }
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_call_after_a_refusal_tries_again() {
    Once<Order, Receipt> charge = charge(OnceTest::keyed);
    trouble = new Rejected("no-money", "the card has none");

    assertThatThrownBy(() -> charge.call(order("A")))
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo("no-money"));

    assertThat(charge.call(order("A")).order()).isEqualTo("A");
    assertThat(sent).hasSize(2);
  }

  @Test
  void an_update_is_sent_again_when_its_content_changes() {
    Once<Order, Receipt> put = charge(order -> Effect.update("A").request(order).upsert());

    put.call(new Order("A", 1));
    put.call(new Order("A", 1));
    put.call(new Order("A", 2));

    assertThat(sent).extracting(one -> one.split(" ", -1)[1]).containsExactly("1", "2");
  }

  @Test
  void a_doubt_follows_the_guard_and_a_crash_repeats_nothing() {
    Once<Order, Receipt> charge =
        charge(order -> Effect.create(order.id()).request(order).unguarded());
    trouble = new IOException("reset");

    assertThatThrownBy(() -> charge.call(order("A"))).isInstanceOf(RunInReview.class);
    crash();
    Once<Order, Receipt> again =
        charge(order -> Effect.create(order.id()).request(order).unguarded());

    assertThatThrownBy(() -> again.call(order("A"))).isInstanceOf(RunInReview.class);
    assertThat(sent).hasSize(1);
  }

  @Test
  void what_a_dead_process_left_behind_continues_when_the_effect_is_made_again() {
    var never = new CountDownLatch(1);
    Once<Order, Receipt> charge =
        hapax.once(
            "charge",
            Order.class,
            Receipt.class,
            OnceTest::keyed,
            (key, order) -> {
              sent.add(key + " " + order.total());
              awaitUninterruptibly(never);
              return new Receipt(order.id(), key);
            });
    Thread.startVirtualThread(() -> charge.call(order("A")));
    eventually(() -> !sent.isEmpty());

    crash();
    charge(OnceTest::keyed);
    String run = hapax.id("hapax.once/charge", "A");
    moveUntil(
        java.time.Duration.ofSeconds(1), () -> hapax.run(run).status() == RunStatus.SUCCEEDED);

    assertThat(sent).hasSize(2).containsOnly(sent.getFirst()); // with the same key
    never.countDown();
  }

  @Test
  void a_flow_with_the_same_effect_shares_it() {
    Flow<Order, Receipt> flow =
        register(
            Flow.of("checkout", Order.class, Receipt.class)
                .key(Order::id)
                .body(
                    (run, order) ->
                        run.effect("pay", keyed(order).name("charge"), this::send, Receipt.class)));

    Receipt first = charge(OnceTest::keyed).call(order("A"));

    assertThat(hapax.start(flow, order("A")).await()).isEqualTo(first);
    assertThat(sent).hasSize(1);
  }
}
