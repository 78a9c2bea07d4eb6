package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.store.Store;
import dev.hapax.testkit.fault.KafkaServer;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Messages of a topic of Kafka become runs without effects, beside the same flow file started by
 * callers on an engine with the same kind of store. In turns, because the machine has other work
 * too. Broker, server and callers are three processes on the same cores.
 */
record KafkaRuns(String store) implements Load {
  static final String SQLITE = "sqlite";
  static final String POSTGRES = "postgres";

  private static final int TURNS = 4;
  private static final int CALLERS = 256;
  private static final int PARTITIONS = 4;
  private static final int FIRST_MESSAGES = 10_000;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration TIME = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(50);

  /** How long messages come at half the pace, and the beginning that is not counted. */
  private static final int STEADY_SECONDS = 18;

  private static final int SETTLING_SECONDS = 3;
  private static final int SENDS_PER_SECOND = 20;

  private static final String QUEUE = "intake";

  @Override
  public String name() {
    return "kafka-runs." + store;
  }

  private String topic() {
    return "orders-" + store;
  }

  private static String file(String topic) {
    return """
        flow: intake
        input:
          type: object
          required: [id, amount]
          properties: {id: {type: string}, amount: {type: integer}}
        key: ${input.id}
        triggers:
          - queue: {connection: broker, queue: %s, from: earliest, group: bench}
        steps:
          - id: receipt
            call: {handler: pay, input: "${input}", pure: true}
        """
        .formatted(topic);
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    String obstacle = KafkaServer.obstacle();
    if (obstacle != null) {
      throw new IllegalStateException(obstacle);
    }
    if (store.equals(SQLITE)) {
      measure(workspace, report, Workspace.open(workspace.file("own.db")), List.of());
      return;
    }
    try (var server = PostgresServer.start(PostgresServer.Durability.FULL)) {
      measure(workspace, report, Workspace.open(server), List.of(server.newDatabase()));
    }
  }

  private void measure(Workspace workspace, Report report, Store own, List<String> url)
      throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    kafka.ask("create", topic(), PARTITIONS);
    String text = file(topic());
    try (var server = ServerProcess.startBare(workspace.file("server"), url);
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .handler("pay", (input, _) -> ServerProcess.pay(input))
                .open();
        var hapax = Hapax.open(own, HapaxOptions.DEFAULT)) {
      LoadedFlow file = files.load("intake.yaml", text, 1);
      files.register(hapax, file);
      server.call(
          "PUT",
          "/api/connections/broker",
          "{\"kafka\": {\"servers\": [\"%s\"], \"tls\": \"none\", \"privateHosts\": [\"127.0.0.1\"]}}"
              .formatted(kafka.server()));
      server.release(QUEUE, text);
      double ownPace = 0;
      double pace = 0;
      double ownCpu = 0;
      double cpu = 0;
      double last = FIRST_MESSAGES / (double) TIME.toSeconds();
      for (int i = 0; i < TURNS; i++) {
        Callers.Outcome started =
            new Callers(CALLERS, WARM_UP, TIME)
                .call(
                    () -> {
                      Order order = OrderFlow.randomOrder();
                      file.start(hapax, Map.of("id", order.id(), "amount", order.amount())).await();
                    });
        Intake intake = intakeOf(server, kafka, (int) (last * TIME.toSeconds()));
        last = intake.perSecond();
        if (i > 0) { // the first turn warms up
          ownPace += started.perSecond() / (TURNS - 1);
          pace += last / (TURNS - 1);
          ownCpu += started.cpuMicrosPerCall() / (TURNS - 1);
          cpu += intake.cpuMicros() / (TURNS - 1);
        }
      }
      report.add(Figure.of(name() + ".runs-per-s", pace, "runs/s"));
      report.add(Figure.of(name() + ".own-starts-per-s", ownPace, "runs/s"));
      report.add(
          Figure.of(name() + ".of-own-starts", pace / ownPace, "x").aims(Goal.atLeast(0.7, 0.9)));
      report.add(Figure.of(name() + ".cpu-us-per-run", cpu, "us of CPU/run"));
      report.add(Figure.of(name() + ".own-cpu-us-per-run", ownCpu, "us of CPU/run"));
      addLag(server, kafka, pace / 2, report);
    }
  }

  // ---- a backlog

  /**
   * How many messages a second become runs that have ended, while many messages wait.
   *
   * @param cpuMicros of the server, without the broker
   */
  private record Intake(double perSecond, double cpuMicros) {}

  private Intake intakeOf(ServerProcess server, KafkaServer kafka, int messages) throws Exception {
    server.call("POST", "/api/queues/%s/pause".formatted(QUEUE), "{}");
    await(() -> server.call("GET", "/api/queues/" + QUEUE, "").contains("\"paused\""));
    send(kafka, messages);
    kafka.ask("flush");
    double before = ended(server);
    server.call("POST", "/api/queues/%s/resume".formatted(QUEUE), "{}");
    await(() -> ended(server) - before >= messages / 10.0);
    double first = ended(server);
    long cpuBefore = server.cpuNanos();
    long from = System.nanoTime();
    await(() -> ended(server) - before >= messages * 9 / 10.0);
    double runs = ended(server) - first;
    double pace = runs * 1e9 / (System.nanoTime() - from);
    double cpu = (server.cpuNanos() - cpuBefore) / 1e3 / runs;
    await(() -> ended(server) - before >= messages);
    return new Intake(pace, cpu);
  }

  private void send(KafkaServer kafka, int messages) {
    for (int i = 0; i < messages; i++) {
      Order order = OrderFlow.randomOrder();
      kafka.ask(
          "send", topic(), order.id(), ServerProcess.json(order).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static double ended(ServerProcess server) throws IOException {
    return server
        .call("GET", "/metrics", "")
        .lines()
        .filter(line -> line.startsWith("hapax_runs_ended_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private interface Claim {
    boolean holds() throws Exception;
  }

  private static void await(Claim claim) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!claim.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("the messages do not become runs");
      }
      Thread.sleep(LOOK);
    }
  }

  // ---- a steady stream

  /** Sends at a rate below the pace, and reports how long messages wait and how that grows. */
  private void addLag(ServerProcess server, KafkaServer kafka, double perSecond, Report report)
      throws Exception {
    int[] waiting = new int[STEADY_SECONDS];
    long from = System.nanoTime();
    double before = ended(server);
    int sent = 0;
    for (int tick = 0; tick < STEADY_SECONDS * SENDS_PER_SECOND; tick++) {
      int due = (int) (perSecond * (tick + 1) / SENDS_PER_SECOND);
      send(kafka, due - sent);
      kafka.ask("flush");
      sent = due;
      if (tick % SENDS_PER_SECOND == SENDS_PER_SECOND - 1) {
        waiting[tick / SENDS_PER_SECOND] = (int) (sent - (ended(server) - before));
      }
      long next = from + (tick + 1) * (1_000_000_000L / SENDS_PER_SECOND);
      Thread.sleep(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
    }
    int third = (STEADY_SECONDS - SETTLING_SECONDS) / 3;
    double early = mean(waiting, SETTLING_SECONDS, SETTLING_SECONDS + third);
    double late = mean(waiting, STEADY_SECONDS - third, STEADY_SECONDS);
    report.add(Figure.of(name() + ".lag-ms", late * 1000 / perSecond, "ms at half the pace"));
    report.add(
        Figure.of(name() + ".lag-growth-ms", (late - early) * 1000 / perSecond, "ms in 10 s")
            .aims(Goal.atMost(500, 100)));
  }

  private static double mean(int[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }
}
