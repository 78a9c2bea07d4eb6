package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.app.attack.AttackTable;
import dev.hapax.testkit.fault.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages whose values take a hundred times their text, more of them than fit into memory. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessageBombAttackTest {
  private static final int BOMBS = 24;

  private static final String FLOW =
      """
      flow: orders
      triggers:
        - queue: {connection: broker, queue: outbox, done: read_at, name: orders, input: "${event.body.message}"}
      steps:
        - {id: note, set: {text: hello}}
      """;

  @TempDir private Path folder;

  @Test
  void a_queue_of_messages_that_explode_in_memory_is_read_to_its_end() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    var broker = new TableTestBroker(PostgresServer.shared());
    for (String lists : List.of("[]", "{\"a\":{}}", "[[[[]]]]")) {
      broker.execute(
          "INSERT INTO outbox (message) SELECT ('{\"id\": 1, \"l\": [' || repeat('%1$s,', %2$d) || '%1$s]}')::jsonb FROM generate_series(1, %3$d)"
              .formatted(lists, 900_000 / lists.length(), BOMBS / 3));
    }
    broker.execute("INSERT INTO outbox (message) VALUES ('{\"id\": 2}')");

    var options = List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    try (var server = new ServerProcess(folder, options)) {
      ServerProcess.must(
          server.ask(server.token(), "PUT", "/api/connections/broker", broker.connection()));
      server.release(server.token(), FLOW);
      while (!broker.left().equals("0")) {
        LockSupport.parkNanos(20_000_000);
        assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
      }
      var details = new ArrayList<String>();
      String after = "";
      do {
        Reply page = server.get(server.token(), "/api/inbox?limit=100" + after);
        page.json().path("items").forEach(one -> details.add(one.path("detail").asString("")));
        after = "&after=" + page.json().path("next").asString("");
      } while (!after.equals("&after="));
      assertThat(details).hasSize(BOMBS + 1);
      assertThat(details).anyMatch(detail -> detail.startsWith("value-too-large"));
    }
    AttackTable.held(
        MessageBombAttackTest.class, "Messages of a queue that explode in memory", BOMBS);
  }
}
