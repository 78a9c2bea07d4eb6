package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.flow.Flow;
import java.time.Duration;

/** An engine that only waits for runs that are due in a month. */
final class Idle implements Load {
  private static final int WAITING_RUNS = 100;
  private static final int TENS_OF_SECONDS = 2;

  @Override
  public String name() {
    return "idle.sqlite";
  }

  @Override
  public void measure(Workspace workspace, Report report) throws InterruptedException {
    var counting = new CountingStore(Workspace.open(workspace.file("idle.db")));
    Flow<Order, Order> sleeper =
        Flow.of("sleeper", Order.class, Order.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  run.sleep("month", Duration.ofDays(30));
                  return order;
                });
    try (var hapax = Hapax.open(counting, HapaxOptions.DEFAULT)) {
      hapax.register(sleeper);
      for (int i = 0; i < WAITING_RUNS; i++) {
        hapax.start(sleeper, OrderFlow.randomOrder());
      }
      Thread.sleep(Duration.ofSeconds(5)); // until every run is unloaded
      long before = counting.calls.sum();
      Thread.sleep(Duration.ofSeconds(10 * TENS_OF_SECONDS));
      double calls = counting.calls.sum() - before;
      report.add(
          Figure.of(name() + ".queries-per-10s", calls / TENS_OF_SECONDS, "store calls/10 s")
              .aims(Goal.atMost(1, 0)));
    }
  }
}
