package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The three effects as a flow file with handlers, beside the same flow in Java: each effect stores
 * its request. In turns in one process, because the machine has other work too.
 */
record FlowFileRuns(int callers) implements Load {
  private static final int TURNS = 3;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration TIME = Duration.ofSeconds(4);

  @Override
  public String name() {
    return "flow-file." + callers;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Flow<Order, Receipt> java = OrderFlow.builder().body(FlowFileRuns::body);
    try (FlowFiles files =
            FlowFiles.with(Ports.system()).handler("pay", (input, _) -> receipt(input)).open();
        var hapax = Hapax.open(Workspace.open(workspace.file("runs.db")), HapaxOptions.DEFAULT)) {
      LoadedFlow file = files.load("order.yaml", OrderFlow.file("order-file"), 1);
      hapax.register(java);
      files.register(hapax, file);
      Callers.Call inJava = () -> hapax.start(java, OrderFlow.randomOrder()).await();
      Callers.Call inFile =
          () -> {
            Order order = OrderFlow.randomOrder();
            file.start(hapax, Map.of("id", order.id(), "amount", order.amount())).await();
          };
      double javaPace = 0;
      double filePace = 0;
      double fileCpu = 0;
      double javaCpu = 0;
      for (int i = 0; i < TURNS; i++) {
        Callers.Outcome one = new Callers(callers, WARM_UP, TIME).call(inJava);
        Callers.Outcome other = new Callers(callers, WARM_UP, TIME).call(inFile);
        if (i > 0) { // the first turn warms up
          javaPace += one.perSecond() / (TURNS - 1);
          filePace += other.perSecond() / (TURNS - 1);
          javaCpu += one.cpuMicrosPerCall() / (TURNS - 1);
          fileCpu += other.cpuMicrosPerCall() / (TURNS - 1);
        }
      }
      report.add(Figure.of(name() + ".runs-per-s", filePace, "runs/s"));
      report.add(Figure.of(name() + ".java-runs-per-s", javaPace, "runs/s"));
      report.add(
          Figure.of(name() + ".of-java", filePace / javaPace, "x").aims(Goal.atLeast(0.6, 0.8)));
      report.add(Figure.of(name() + ".cpu-us-per-run", fileCpu, "us of CPU/run"));
      report.add(Figure.of(name() + ".java-cpu-us-per-run", javaCpu, "us of CPU/run"));
    }
  }

  private static @Nullable Receipt body(RunContext run, Order order) {
    Receipt last = null;
    for (String step : OrderFlow.STEPS) {
      last =
          run.effect(
              step,
              Effect.create(order.id()).request(order).keyed(),
              (_, request) -> OrderFlow.receipt(request),
              Receipt.class);
    }
    return last;
  }

  private static Receipt receipt(@Nullable Object input) {
    if (input instanceof Map<?, ?> map
        && map.get("id") instanceof String id
        && map.get("amount") instanceof Number amount) {
      return OrderFlow.receipt(new Order(id, amount.longValue()));
    }
    throw new IllegalArgumentException("no order: " + input);
  }
}
