package dev.hapax.bench;

import dev.hapax.flows.check.Check;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Reading and checking a flow file of two hundred steps; CPU time, warm. */
record FlowCheck(int steps) implements Load {
  private static final int ROUNDS = 120;

  @Override
  public String name() {
    return "flow-check." + steps;
  }

  @Override
  public void measure(Workspace workspace, Report report) {
    String file = file();
    var threads = ManagementFactory.getThreadMXBean();
    double[] millis = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getCurrentThreadCpuTime();
      if (!Check.check("large.yaml", file).findings().isEmpty()) {
        throw new IllegalStateException("the file has findings");
      }
      millis[i] = (threads.getCurrentThreadCpuTime() - before) / 1e6;
    }
    double[] warm = Arrays.copyOfRange(millis, ROUNDS / 2, ROUNDS);
    Arrays.sort(warm);
    report.add(
        Figure.of(name() + ".cpu-ms", warm[warm.length / 2], "ms of CPU")
            .aims(Goal.atMost(100, 50)));
  }

  private String file() {
    var text = new StringBuilder("flow: large\nkey: ${input.id}\nsteps:\n");
    for (int i = 0; i < steps; i++) {
      text.append(
          """
            - id: step%1$d
              http: {connection: shop, method: PUT, path: "/orders/${input.id}/%1$d", body: {v: "${input.total + %1$d}"}}
              effect: {kind: update, key: "${input.id}/%1$d", guard: upsert}
          """
              .formatted(i));
    }
    return text.toString();
  }
}
