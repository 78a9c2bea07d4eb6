package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Flow;
import java.time.Duration;

/**
 * Runs of three effects with a limit of one run at a time per customer, compared with the same runs
 * without a limit. Callers choose among the customers at random, so some of them queue.
 */
record LimitedRuns(int customers, int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TIME = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "limited.sqlite." + callers;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Callers.Outcome free = runs(workspace, "free.db", OrderFlow.flow());
    Flow<Order, Receipt> oneByOne =
        OrderFlow.builder()
            .concurrency(order -> Long.toString(order.amount() % customers), 1)
            .body(OrderFlow::body);
    Callers.Outcome limited = runs(workspace, "limited.db", oneByOne);

    double reference = free.perSecond();
    report.add(
        Figure.of(name() + ".runs-per-s", limited.perSecond(), "runs/s")
            .against(_ -> reference)
            .aims(Goal.ratioAtLeast(0.5, 0.8)));
    report.add(Figure.of(name() + ".p99-ms", limited.percentileMillis(99), "ms"));
    report.add(Figure.of(name() + ".p99-ms-without", free.percentileMillis(99), "ms"));
  }

  private Callers.Outcome runs(Workspace workspace, String file, Flow<Order, Receipt> flow)
      throws Exception {
    try (var hapax = Hapax.open(Workspace.open(workspace.file(file)), HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      return new Callers(callers, WARM_UP, TIME)
          .call(() -> hapax.start(flow, OrderFlow.randomOrder()).await());
    }
  }
}
