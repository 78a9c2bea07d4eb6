package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The code of docs/start/limits.md, exactly as in the page. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LimitsExampleTest extends EngineTest {
  private final ConcurrentLinkedQueue<String> stock = new ConcurrentLinkedQueue<>();

  @Test
  void the_page_on_limits_is_true() throws Exception {
    // one-at-a-time
    Flow<Order, Receipt> ship =
        Flow.of("ship", Order.class, Receipt.class)
            .key(Order::id)
            .concurrency(order -> order.id().substring(0, 1), 1, Overflow.QUEUE)
            .body(
                (run, order) -> {
                  long fence =
                      run.locked(
                          "take",
                          "warehouse",
                          lock -> {
                            run.effect(
                                "reserve",
                                Effect.create(order.id()).keyed(),
                                key -> {
                                  stock.add(order.id() + " by holder " + lock.fence());
                                });
                            return lock.fence();
                          });
                  return new Receipt(order.id(), "shipped under " + fence);
                });
    // one-at-a-time
    hapax.register(ship);

    RunHandle<Receipt> first = hapax.start(ship, order("A-1"));
    RunHandle<Receipt> second = hapax.start(ship, order("A-2"));

    assertThat(first.await().key()).isEqualTo("shipped under 1");
    assertThat(second.await().key()).isEqualTo("shipped under 2");
    assertThat(stock).containsExactly("A-1 by holder 1", "A-2 by holder 2");
    assertThat(hapax.slots("ship", "A")).isEmpty();
    assertThat(hapax.locks()).isEmpty();
  }

  /** Plays a payment provider. */
  private static final class Psp {
    String charge(Order order, String key) {
      return order.id() + " charged under a key of " + key.length() + " characters";
    }
  }

  @Test
  void a_destination_is_registered_and_named() {
    var psp = new Psp();

    // destination
    hapax
        .destinations()
        .register(
            Destination.of("psp")
                .rate(100, Duration.ofSeconds(1))
                .calls(8)
                .breaker(5, Duration.ofSeconds(30)));

    Flow<Order, Receipt> charge =
        Flow.of("charge", Order.class, Receipt.class)
            .key(Order::id)
            .rate(600, Duration.ofMinutes(1))
            .body(
                (run, order) -> {
                  String charged =
                      run.effect(
                          "charge",
                          Effect.create(order.id()).keyed().to("psp"),
                          key -> psp.charge(order, key),
                          String.class);
                  return new Receipt(order.id(), charged);
                });
    // destination
    hapax.register(charge);

    RunHandle<Receipt> first = hapax.start(charge, order("A-1"));
    RunHandle<Receipt> second = hapax.start(charge, order("A-2"));

    assertThat(first.await().key()).isEqualTo("A-1 charged under a key of 32 characters");
    assertThat(hapax.run(second.id()).status()).isEqualTo(RunStatus.QUEUED);
    moveAndAwait(
        Duration.ofMillis(100), () -> hapax.run(second.id()).status() == RunStatus.SUCCEEDED);
    assertThat(hapax.destinations().states()).containsOnlyKeys("psp");
  }
}
