package dev.hapax.bench;

import dev.hapax.bench.OrderFlow.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Hapax's server over HTTP, with its callers in this process, on the same cores.
 *
 * @param what callers do again and again
 */
record ServedRuns(Deed what, int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration TIME = Duration.ofSeconds(8);
  private static final int DUPLICATE_KEYS = 2_000;

  enum Deed {
    /** A run of a flow file with three effects is started and awaited. */
    RUNS("server-runs", "runs-per-s", "runs/s"),
    /** A run that has ended is started. */
    DUPLICATES("server-duplicates", "per-s", "starts/s"),
    /** An event is delivered with its signature, and acknowledged when its run is durable. */
    WEBHOOKS("server-webhooks", "per-s", "deliveries/s");

    private final String load;
    private final String figure;
    private final String unit;

    Deed(String load, String figure, String unit) {
      this.load = load;
      this.figure = figure;
      this.unit = unit;
    }
  }

  @Override
  public String name() {
    return "%s.%d".formatted(what.load, callers);
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    try (var server = ServerProcess.start(workspace.file("server"))) {
      Callers.Outcome outcome = new Callers(callers, WARM_UP, TIME).call(call(server));
      Figure pace = Figure.of(name() + "." + what.figure, outcome.perSecond(), what.unit);
      report.add(what == Deed.WEBHOOKS ? pace.aims(Goal.atLeast(4_000, 8_000)) : pace);
      report.add(Figure.of(name() + ".p50-ms", outcome.percentileMillis(50), "ms"));
      report.add(Figure.of(name() + ".p99-ms", outcome.percentileMillis(99), "ms"));
    }
  }

  private Callers.Call call(ServerProcess server) {
    return switch (what) {
      case RUNS -> () -> server.run(OrderFlow.randomOrder());
      case WEBHOOKS -> () -> server.deliver(OrderFlow.randomOrder());
      case DUPLICATES -> {
        List<Order> orders = ran(server::run);
        yield () -> server.startAgain(one(orders));
      }
    };
  }

  /** Runs an order. */
  @FunctionalInterface
  interface Runner {
    void run(Order order) throws IOException;
  }

  /** Returns orders that each of them has run. */
  static List<Order> ran(Runner... runners) {
    List<Order> orders = Stream.generate(OrderFlow::randomOrder).limit(DUPLICATE_KEYS).toList();
    for (Runner runner : runners) {
      orders.parallelStream().forEach(order -> run(runner, order));
    }
    return orders;
  }

  private static void run(Runner runner, Order order) {
    try {
      runner.run(order);
    } catch (IOException e) {
      throw new IllegalStateException("order " + order.id() + " did not run", e);
    }
  }

  static <T> T one(List<T> of) {
    return of.get(ThreadLocalRandom.current().nextInt(of.size()));
  }
}
