package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a new caller does with a child of the same key that has failed already. */
class FailedChildTest extends EngineTest {
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean refuses = true;

  private final Flow<Order, Receipt> child =
      register(
          orders("child")
              .body(
                  (run, order) -> {
                    run.effect(
                        "first", Effect.create(order.id()).keyed(), _ -> sent.incrementAndGet());
                    run.effect(
                        "second",
                        Effect.create("2/" + order.id()).keyed(),
                        _ -> {
                          if (refuses) {
                            throw new Rejected("refused", "not now");
                          }
                        });
                    return new Receipt(order.id(), "done");
                  }));

  private RunHandle<Receipt> call(String parent, OnFailed onFailed) {
    Flow<Order, Receipt> flow =
        register(
            orders(parent).body((run, _) -> run.call("child", child, null, order("C"), onFailed)));
    return hapax.start(flow, order("A"));
  }

  private Run child() {
    return hapax.run(RunId.of("default", "child", "C", null).toString());
  }

  @Test
  void it_fails_unless_it_says_otherwise() {
    assertFails(call("one", OnFailed.FAIL), "refused");
    refuses = false;

    assertFails(call("two", OnFailed.FAIL), "refused");
    assertThat(child().status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void it_retries_the_child_once_and_waits_for_it() {
    assertFails(call("one", OnFailed.FAIL), "refused");
    refuses = false;

    assertThat(call("two", OnFailed.RETRY).await().key()).isEqualTo("done");
    assertThat(child().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(sent).hasValue(1);
  }

  @Test
  void a_child_that_fails_again_fails_the_step() {
    assertFails(call("one", OnFailed.FAIL), "refused");

    RunHandle<Receipt> second = call("two", OnFailed.RETRY);
    assertFails(second, "refused");
    assertThat(hapax.history(child().id().toString()))
        .extracting(HistoryEntry::type)
        .filteredOn("retried"::equals)
        .hasSize(1);
  }
}
