package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The code of docs/start/compensation.md, exactly as in the page. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class CompensationExampleTest extends EngineTest {
  private final Psp psp = new Psp();
  private final Stock stock = new Stock();

  record Charge(String id) {}

  private static final class Psp {
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();

    Charge charge(Order order, String key) {
      keys.add(key);
      log.add("charged " + order.id());
      return new Charge("ch-1");
    }

    void refund(String charge, String key) {
      keys.add(key);
      log.add("refunded " + charge);
    }
  }

  @SuppressWarnings("DoNotCallSuggester") // nothing is left, as the example wants it
  private static final class Stock {
    void reserve(Order order, String key) {
      throw new Rejected("sold-out", "nothing left for " + order.id() + " under " + key);
    }

    void release(String order) {
      throw new IllegalStateException("nothing was reserved for " + order);
    }
  }

  @Test
  void the_page_on_compensation_is_true() {
    // undo
    Flow<Order, Receipt> buy =
        Flow.of("buy", Order.class, Receipt.class)
            .key(Order::id)
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(
                (run, order) -> {
                  Charge charge =
                      run.effect(
                          "charge",
                          Effect.create(order.id())
                              .keyed()
                              .compensate(
                                  Charge.class,
                                  done -> Undo.keyed(key -> psp.refund(done.id(), key))),
                          key -> psp.charge(order, key),
                          Charge.class);
                  run.effect(
                      "reserve",
                      Effect.create(order.id())
                          .keyed()
                          .compensate(Undo.upsert(key -> stock.release(order.id()))),
                      key -> stock.reserve(order, key));
                  return new Receipt(order.id(), charge.id());
                });
    // undo
    hapax.register(buy);

    RunHandle<Receipt> run = hapax.start(buy, order("A-1"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(psp.log).containsExactly("charged A-1", "refunded ch-1");
    assertThat(psp.keys).doesNotHaveDuplicates();
    assertThat(String.valueOf(hapax.run(run.id()).error())).contains("sold-out");
  }
}
