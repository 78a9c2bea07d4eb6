package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.bench.OrderFlow.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Starts of runs that finished long ago, in random order. */
record DuplicateStarts(int runs, int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TIME = Duration.ofSeconds(8);

  @Override
  public String name() {
    return "duplicate-starts.sqlite";
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Path file = workspace.file("finished.db");
    List<Order> orders = FinishedRuns.load(file, runs);
    try (var hapax = Hapax.open(file)) {
      var flow = OrderFlow.flow();
      hapax.register(flow);
      Callers.Outcome outcome =
          new Callers(callers, WARM_UP, TIME)
              .call(
                  () -> {
                    Order order = orders.get(ThreadLocalRandom.current().nextInt(orders.size()));
                    if (!hapax.start(flow, order).isDuplicate()) {
                      throw new IllegalStateException(
                          "order " + order.id() + " has run, and was started again");
                    }
                  });
      report.add(
          Figure.of(name() + ".per-s", outcome.perSecond(), "starts/s")
              .aims(Goal.atLeast(30_000, 100_000)));
      report.add(Figure.of(name() + ".p99-ms", outcome.percentileMillis(99), "ms"));
    }
  }
}
