package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connection;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Runs of a flow file with three HTTP effects to a server in the same process. */
record HttpSteps(int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(6);
  private static final Duration TIME = Duration.ofSeconds(8);
  private static final String FILE =
      """
      flow: order-http
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: shop, method: POST, path: /charges, body: {order: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: invoice
          http: {connection: shop, method: POST, path: /invoices, body: {order: "${input.id}", charge: "${steps.charge.output.body.id}"}}
          effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: state
          http: {connection: shop, method: PUT, path: "/orders/${input.id}", body: {invoice: "${steps.invoice.output.body.id}"}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      output: {invoice: "${steps.invoice.output.body.id}"}
      """;

  @Override
  public String name() {
    return "http-steps." + callers;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    try (var server = new PlainHttpServer("{\"id\":\"x-1\",\"status\":\"succeeded\"}");
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(
                    name ->
                        Optional.of(
                            Connection.Http.of(name, "http://127.0.0.1:" + server.port())
                                .privateHosts("127.0.0.1")))
                .open();
        var hapax = Hapax.open(Workspace.open(workspace.file("runs.db")), HapaxOptions.DEFAULT)) {
      LoadedFlow flow = files.load("order.yaml", FILE, 1);
      files.register(hapax, flow);
      Callers.Outcome outcome =
          new Callers(callers, WARM_UP, TIME)
              .call(() -> flow.start(hapax, Map.of("id", OrderFlow.randomOrder().id())).await());

      report.add(
          Figure.of(name() + ".runs-per-s", outcome.perSecond(), "runs/s")
              .aims(Goal.atLeast(1_000, 2_000)));
      report.add(Figure.of(name() + ".p50-ms", outcome.percentileMillis(50), "ms"));
      report.add(
          Figure.of(name() + ".cpu-us-per-run", outcome.cpuMicrosPerCall(), "us of CPU/run"));
      report.add(
          Figure.of(
              name() + ".requests-per-run",
              server.requests() / (double) outcome.all(),
              "requests"));
    }
  }
}
