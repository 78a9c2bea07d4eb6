package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process with many runs in flight, each inside its sender, is killed with SIGKILL; another one
 * opens the same store. Measures the time from the start of that process until each run is inside
 * its sender again.
 */
record Recovery(int runs) implements Load {
  static final String CHILD = "--recovery-child";
  private static final String ALL_IN_FLIGHT = "all in flight";

  @Override
  public String name() {
    return "recovery.sqlite." + runs;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws IOException, InterruptedException {
    Path file = workspace.file("recovery.db");
    untilInFlight(file, runs);
    double seconds = untilInFlight(file, 0);
    report.add(Figure.of(name() + ".seconds", seconds, "s").aims(Goal.atMost(5, 2)));
  }

  /**
   * Starts a child, waits until every run is in flight, kills it, and returns how long that took
   * from its start.
   */
  private double untilInFlight(Path file, int start) throws IOException, InterruptedException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Workspace.classPath(),
            Bench.class.getName(),
            CHILD,
            file.toString(),
            Integer.toString(runs),
            Integer.toString(start));
    long begin = System.nanoTime();
    Process child =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = child.inputReader()) {
      String line = lines.readLine();
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (!ALL_IN_FLIGHT.equals(line)) {
        throw new IllegalStateException(
            "expected '" + ALL_IN_FLIGHT + "' from the child, got '" + line + "'");
      }
      return seconds;
    } finally {
      child.destroyForcibly().waitFor(); // SIGKILL, by its process id
    }
  }

  /** Runs a child: the arguments after {@link #CHILD}. */
  static void live(Path file, int runs, int start) throws InterruptedException {
    var inFlight = new CountDownLatch(runs);
    var never = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        Flow.of("stuck", Order.class, Receipt.class)
            .key(Order::id)
            .body(
                (run, order) ->
                    run.effect(
                        "charge",
                        Effect.create(order.id()).keyed().timeout(Duration.ofHours(1)),
                        _ -> {
                          inFlight.countDown();
                          never.await();
                          return OrderFlow.receipt(order);
                        },
                        Receipt.class));
    try (var hapax = Hapax.open(file)) {
      hapax.register(flow);
      startFromMany(hapax, flow, start);
      inFlight.await();
      System.out.println(ALL_IN_FLIGHT);
      never.await();
    }
  }

  private static void startFromMany(Hapax hapax, Flow<Order, Receipt> flow, int count)
      throws InterruptedException {
    int callers = 100;
    var done = new CountDownLatch(callers);
    for (int caller = 0; caller < callers; caller++) {
      Thread.startVirtualThread(
          () -> {
            for (int i = 0; i < count / callers; i++) {
              hapax.start(flow, OrderFlow.randomOrder());
            }
            done.countDown();
          });
    }
    done.await();
  }
}
