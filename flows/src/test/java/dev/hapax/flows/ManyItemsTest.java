package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop over ten thousand items, one of them poisoned. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyItemsTest {
  private static final int ITEMS = 10_000;
  private static final int AT_ONCE = 32;
  private static final int LARGEST_ROW = 64 * 1024;

  private static final String TEXT =
      """
      flow: ship-all
      key: ${input.id}
      steps:
        - id: ship
          forEach: {items: "${input.parcels}", atOnce: 32}
          itemKey: ${item.id}
          call: {handler: ship, input: "${item.id}"}
          effect: {kind: create, key: "${item.id}", guard: keyed}
          retry: {attempts: 1}
      output: {succeeded: "${steps.ship.output.succeeded}", failed: "${steps.ship.output.failed}"}
      """;

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final CountDownLatch besideFirst = new CountDownLatch(1);
  private final AtomicBoolean isPoisoned = new AtomicBoolean(true);

  private Object ship(Object parcel) throws InterruptedException {
    boolean isFirstOfAll = calls.incrementAndGet() == 1;
    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    try {
      if (isFirstOfAll) {
        besideFirst.await();
      } else {
        besideFirst.countDown();
      }
      if (parcel.equals("p-7777") && isPoisoned.get()) {
        throw new Rejected("broken", "it broke");
      }
      return Map.of("label", "L".repeat(100) + parcel);
    } finally {
      underWay.decrementAndGet();
    }
  }

  @Test
  void one_bad_item_stops_no_other_and_a_retry_touches_it_alone() {
    var store = new MemoryStore();
    List<Map<String, String>> parcels =
        IntStream.range(0, ITEMS).mapToObj(i -> Map.of("id", "p-" + i)).toList();
    try (FlowFiles files =
            FlowFiles.with(Ports.system())
                .handler("ship", (input, _) -> ship(String.valueOf(input)))
                .open();
        Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT)) {
      LoadedFlow flow = files.load("ship.yaml", TEXT, 1);
      files.register(hapax, flow);

      RunHandle<Object> run = flow.start(hapax, Map.of("id", "A", "parcels", parcels));

      assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
      Run ended = hapax.run(run.id());
      assertThat(ended.status()).isEqualTo(RunStatus.PARTIAL);
      assertThat(ended.output()).isEqualTo("{\"succeeded\":9999,\"failed\":1}");
      assertThat(calls.get()).isEqualTo(ITEMS);
      assertThat(most.get()).isBetween(2, AT_ONCE);

      isPoisoned.set(false);
      hapax.retry(run.id(), "ada");

      assertThat(hapax.handle(run.id(), Object.class).await())
          .isEqualTo(Map.of("succeeded", ITEMS, "failed", 0));
      assertThat(calls.get()).isEqualTo(ITEMS + 1);
      assertThat(store.journal(ended.number()))
          .extracting(JournalRow::entries)
          .allSatisfy(entries -> assertThat(entries.length()).isLessThan(LARGEST_ROW));
    }
  }
}
