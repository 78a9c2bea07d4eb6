package dev.hapax.flows;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Json;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A shop's process, made to be killed: starts every order, as it did before it died, decides what
 * is asked of people, settles what is in review by asking the desk, which sees the sinks, and
 * resumes what is in quarantine.
 */
final class OrderProcess {
  private final Hapax hapax;
  private final String desk;

  private OrderProcess(Hapax hapax, String desk) {
    this.hapax = hapax;
    this.desk = desk;
  }

  public static void main(String[] arguments) throws Exception {
    ChildProcess.endWithParent();
    Path folder = Path.of(arguments[0]);
    int orders = Integer.parseInt(arguments[5]);
    Map<String, Connection> connections =
        Map.of(
            "accounting", http("accounting", arguments[1]),
            "payments", http("payments", arguments[1]),
            "smtp", smtp(Integer.parseInt(arguments[2])),
            "books", new Connection.Database("books", database(arguments[3])));
    try (FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(name -> Optional.ofNullable(connections.get(name)))
                .open();
        Hapax hapax = Hapax.open(folder.resolve("orders.db"), HapaxOptions.DEFAULT)) {
      LoadedFlow flow =
          files.load("order-to-invoice.yaml", Files.readString(folder.resolve("flow.yaml")), 1);
      files.register(hapax, flow);
      System.out.println("ready");
      var process = new OrderProcess(hapax, "http://127.0.0.1:" + arguments[4]);
      process.work(process.start(flow, orders));
      System.out.println("done");
    }
    Runtime.getRuntime().halt(0);
  }

  private static Connection.Http http(String name, String port) {
    return Connection.Http.of(name, "http://127.0.0.1:" + port).privateHosts("127.0.0.1");
  }

  private static Connection.Smtp smtp(int port) {
    return new Connection.Smtp(
        "smtp",
        "127.0.0.1",
        port,
        Connection.Smtp.Tls.NONE,
        "shop@example.org",
        null,
        null,
        Set.of("127.0.0.1"));
  }

  private static SqlDatabase database(String url) {
    var source = new PGSimpleDataSource();
    source.setUrl(url);
    return SqlDestination.of(source);
  }

  private List<RunHandle<Object>> start(LoadedFlow flow, int orders) {
    var runs = new ArrayList<RunHandle<Object>>();
    for (int i = 0; i < orders; i++) {
      runs.add(
          flow.start(
              hapax,
              Map.of(
                  "orderId",
                  "A-" + i,
                  "customerId",
                  "c-" + i,
                  "email",
                  "ann@example.org",
                  "total",
                  40 + i)));
    }
    return runs;
  }

  private void work(List<RunHandle<Object>> runs) throws Exception {
    while (!runs.stream().allMatch(run -> isDone(run.id()))) {
      for (var question : hapax.approvals().list(hapax.approvals().open())) {
        var _ = hapax.approvals().decide(question.id(), Verdict.approve("ann").roles("finance"));
      }
      for (EffectRecord effect : hapax.effects(hapax.effects().state(EffectState.REVIEW))) {
        settle(effect);
      }
      for (Run run : hapax.runs(hapax.runs().status(RunStatus.REVIEW))) {
        resumeIfQuarantined(run);
      }
      Thread.sleep(50);
    }
  }

  /** Two kills may meet the same run alone in memory, so that it looks like their cause. */
  private void resumeIfQuarantined(Run run) {
    if (run.isQuarantined()) {
      hapax.resume(run.id().toString(), "desk", "the test killed the process, and not this run");
    }
  }

  private boolean isDone(String run) {
    RunStatus status = hapax.run(run).status();
    if (status.isEnd() && status != RunStatus.SUCCEEDED) {
      System.out.println("failed " + hapax.history(run));
      Runtime.getRuntime().halt(3);
    }
    return status == RunStatus.SUCCEEDED;
  }

  private void settle(EffectRecord effect) throws IOException {
    String query = "?name=" + effect.key().name() + "&key=" + effect.key().key();
    String id;
    try (var in = URI.create(desk + "/" + effect.wireKey() + query).toURL().openStream()) {
      id = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    hapax.settle(
        effect.id(),
        id.isEmpty()
            ? Settlement.notHappened("the desk sees nothing", "desk")
            : Settlement.happened(Json.read("{}", Object.class), "seen", "desk").externalId(id));
  }
}
