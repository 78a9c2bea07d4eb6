package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time of an attempt covers what a socket's own timeout does not. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttemptBudgetTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  private static HttpClient client(Egress egress) {
    return new HttpClient(egress, Secrets.NONE, new Redaction(), Ports.system().clock());
  }

  private static Connection.Http at(ServerSocket server) {
    return Connection.Http.of("shop", "http://127.0.0.1:" + server.getLocalPort())
        .privateHosts("127.0.0.1");
  }

  @Test
  void a_peer_that_does_not_read_cannot_hold_a_write() throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client = client(Egress.system())) {
      var large = new HttpRequest("shop", "POST", "/", Map.of(), "x".repeat(64 << 20));

      assertThatThrownBy(() -> client.send(at(server), large, Map.of(), SHORT))
          .isInstanceOf(AnswerLost.class)
          .hasMessageContaining("may have arrived")
          .hasMessageContaining("longer than its timeout of 500 ms");
    }
  }

  @Test
  void an_answer_that_comes_before_the_request_is_no_answer() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      byte[] early =
          "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8);
      var read = new CountDownLatch(1);
      Thread hasty =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket socket = server.accept()) {
                      socket.getOutputStream().write(early);
                      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
                      read.countDown();
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
      Egress egress =
          Egress.over(
              InetAddress.getByName("8.8.8.8"),
              (_, _) -> {
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                while (socket.getInputStream().available() == 0) {
                  LockSupport.parkNanos(1_000_000); // the test's own time limit ends this
                }
                return socket;
              });
      var request = new HttpRequest("shop", "POST", "/", Map.of(), "{}");
      try (var client = client(egress)) {
        assertThatThrownBy(
                () ->
                    client.send(
                        Connection.Http.of("shop", "http://shop.example"),
                        request,
                        Map.of(),
                        Duration.ofSeconds(5)))
            .isInstanceOf(NotApplied.class)
            .hasMessageContaining("before there was a request");
      }
      hasty.join();
      assertThat(read.getCount()).as("nothing was sent").isZero();
    }
  }

  @Test
  void a_name_server_that_does_not_answer_costs_only_the_time_of_the_attempt() {
    AttemptBudget budget = AttemptBudget.begin(Duration.ofMillis(1), 1);
    while (!budget.isOver()) {
      LockSupport.parkNanos(2_000_000);
    }

    assertThatThrownBy(() -> budget.leftToConnect(Duration.ofSeconds(10)))
        .isInstanceOf(NotApplied.class)
        .hasMessageContaining("nothing was sent");
  }

  /** Busy for longer than a slice. */
  private static void readMuch(AttemptBudget budget) throws IOException {
    budget.received(2 << 20);
    long end = System.nanoTime() + 5_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(2_000_000);
    }
    budget.demandTime();
    budget.received(1);
  }

  @Test
  void attempts_that_read_very_much_share_half_of_the_processors() throws IOException {
    var bulk = new BulkReads(2);
    AttemptBudget first = AttemptBudget.begin(Duration.ofSeconds(60), 8 << 20, bulk);
    readMuch(first);
    assertThat(bulk.active()).isOne();
    assertThat(bulk.restAfter(1_000)).as("one alone").isZero();

    AttemptBudget second = AttemptBudget.begin(Duration.ofSeconds(60), 8 << 20, bulk);
    AttemptBudget third = AttemptBudget.begin(Duration.ofSeconds(60), 8 << 20, bulk);
    readMuch(second);
    assertThat(bulk.restAfter(1_000)).as("one for each").isZero();
    readMuch(third);
    assertThat(bulk.restAfter(1_000)).as("three on two").isEqualTo(1_000);

    AttemptBudget little = AttemptBudget.begin(Duration.ofSeconds(60), 8 << 20, bulk);
    little.received(100);
    assertThat(bulk.active()).isEqualTo(3);

    first.end();
    first.close(); // by its socket
    second.close();
    third.close();
    readMuch(third); // a late byte
    assertThat(bulk.active()).isZero();
  }
}
