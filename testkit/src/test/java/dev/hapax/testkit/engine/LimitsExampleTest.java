package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The code of docs/start/limits.md, as it stands there. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LimitsExampleTest extends EngineTest {
  private final ConcurrentLinkedQueue<String> stock = new ConcurrentLinkedQueue<>();

  @Test
  void the_page_on_limits_tells_the_truth() throws Exception {
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
}
