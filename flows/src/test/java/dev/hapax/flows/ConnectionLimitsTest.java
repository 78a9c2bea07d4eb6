package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps respect the limits of their connections. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionLimitsTest {
  private static final String READS =
      """
      flow: reads
      key: ${input.id}
      steps:
        - id: ask
          http: {connection: shop, path: "/${input.id}"}
      """;

  private static final String WRITES =
      """
      flow: writes
      key: ${input.id}
      rate: {limit: 1, per: 1h}
      steps:
        - id: put
          http: {connection: shop, method: PUT, path: "/${input.id}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
      """;

  private final AtomicReference<Connection> shop = new AtomicReference<>();

  private FlowFiles files() {
    return FlowFiles.with(Ports.system()).connections(_ -> Optional.of(shop.get())).open();
  }

  @Test
  void reads_and_writes_share_the_rate_of_their_connection_and_a_change_holds_at_once()
      throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files = files()) {
      shop.set(
          server.connection("shop").limits(ConnectionLimits.NONE.rate(1, Duration.ofHours(1))));
      LoadedFlow reads = files.load("r.yaml", READS, 1);
      LoadedFlow writes = files.load("w.yaml", WRITES.replace("rate:", "description: x #"), 1);
      try (FlowTest test = FlowTest.of()) {
        Hapax hapax = test.hapax();
        files.register(hapax, reads);
        files.register(hapax, writes);
        test.run(reads.flow(), Map.of("id", "1"));

        RunHandle<Object> second = test.start(writes.flow(), Map.of("id", "2"));

        assertThat(hapax.run(second.id()).status()).isEqualTo(RunStatus.WAITING);
        assertThat(hapax.history(second.id()))
            .anyMatch(entry -> String.valueOf(entry.decision()).contains("destination 'shop'"));
        assertThat(hapax.effects(hapax.effects())).isEmpty();
        shop.set(server.connection("shop"));
        test.run(reads.flow(), Map.of("id", "3")); // it tells the engine of the change
        assertThat(second.await()).isNull();
      }
    }
  }

  @Test
  void a_destination_that_is_down_is_left_alone_and_its_steps_wait_instead_of_failing()
      throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files = files()) {
      var down = Connection.Http.of("shop", "http://127.0.0.1:1").privateHosts("127.0.0.1");
      ConnectionLimits limits = ConnectionLimits.NONE.breaker(2, Duration.ofMinutes(30));
      shop.set(down.limits(limits));
      LoadedFlow flow = files.load("w.yaml", WRITES.replace("rate:", "description: x #"), 1);
      try (FlowTest test = FlowTest.of()) {
        Hapax hapax = test.hapax();
        files.register(hapax, flow);
        RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "1"));
        test.move(Duration.ofSeconds(10));

        assertThat(Objects.requireNonNull(hapax.destinations().states().get("shop")).breaker())
            .isEqualTo("open");
        assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
        shop.set(server.connection("shop").limits(limits));
        test.move(Duration.ofMinutes(31));
        assertThat(run.await()).isNull();
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @Test
  void runs_of_a_flow_begin_as_fast_as_its_rate_says() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files = files()) {
      shop.set(server.connection("shop"));
      LoadedFlow flow = files.load("w.yaml", WRITES, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        test.run(flow.flow(), Map.of("id", "1"));

        RunHandle<Object> second = test.start(flow.flow(), Map.of("id", "2"));

        assertThat(test.hapax().run(second.id()).status()).isEqualTo(RunStatus.QUEUED);
        test.move(Duration.ofHours(1));
        assertThat(second.await()).isNull();
        assertThat(types(test, second)).contains("turn-awaited");
      }
    }
  }

  private static List<String> types(FlowTest test, RunHandle<?> run) {
    return test.hapax().history(run.id()).stream().map(HistoryEntry::type).toList();
  }
}
