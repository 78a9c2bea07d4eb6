package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.fault.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One, two and three processes on one database, which share 256 callers among them. */
record NodesOnOneServer(PostgresServer server, Report report, Duration warmUp, Duration time) {
  static final String CHILD = "--node";
  private static final int CALLERS = 256;
  private static final int MOST_NODES = 3;

  void measure() throws Exception {
    double alone = 0;
    for (int nodes = 1; nodes <= MOST_NODES; nodes++) {
      double pace = pace(nodes);
      alone = nodes == 1 ? pace : alone;
      double one = alone;
      report.add(
          Figure.of("nodes.postgres.%d.runs-per-s".formatted(nodes), pace, "runs/s")
              .against(_ -> one));
    }
  }

  private double pace(int nodes) throws Exception {
    String url = server.newDatabase();
    Hapax.open(url, HapaxOptions.DEFAULT).close(); // one creates the tables
    List<Child> children = new ArrayList<>();
    try {
      for (int i = 0; i < nodes; i++) {
        children.add(
            Child.start(
                "node " + (i + 1),
                List.of(
                    Compare.class.getName(),
                    CHILD,
                    url,
                    Integer.toString(CALLERS / nodes),
                    Long.toString(warmUp.toSeconds()),
                    Long.toString(time.toSeconds()))));
      }
      for (Child child : children) {
        child.expect("ready");
      }
      for (Child child : children) {
        child.tell("go");
      }
      double pace = 0;
      for (Child child : children) {
        pace += Double.parseDouble(child.line());
      }
      return pace;
    } finally {
      children.forEach(Child::close);
    }
  }

  /** Runs a child: the arguments after {@link #CHILD}. */
  static void live(String url, int callers, int warmUpSeconds, int seconds) throws Exception {
    Flow<Order, Receipt> flow = OrderFlow.flow();
    try (Hapax hapax = Hapax.open(url, HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      System.out.println("ready");
      System.in.read();
      Callers.Outcome outcome =
          new Callers(callers, Duration.ofSeconds(warmUpSeconds), Duration.ofSeconds(seconds))
              .call(() -> hapax.start(flow, OrderFlow.randomOrder()).await());
      System.out.println(outcome.perSecond());
    }
  }
}
