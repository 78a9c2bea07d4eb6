package dev.hapax.app.attack;

import dev.hapax.app.ServerCalls;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Attacks of every kind at once: one thread for each, at its own pace, until it is closed. {@link
 * HostileProcess} makes them from outside.
 */
final class HostileTraffic implements AutoCloseable {
  private static final int HELD = 60;
  private static final String BIG = "a".repeat(20_000);

  private final ServerCalls server;
  private final ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final String tenant;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger attempts = new AtomicInteger();
  private final List<Thread> attackers = new ArrayList<>();
  private final Queue<Socket> held = new ArrayDeque<>();

  /** One attempt; what comes back does not matter to the attacker. */
  private interface Attack {
    void attempt(int number) throws Exception;
  }

  HostileTraffic(ServerCalls server) throws Exception {
    this.server = server;
    String operator = server.token();
    ServerCalls.must(server.ask(operator, "POST", "/api/tenants", "{\"name\": \"mallory\"}"));
    this.tenant =
        ServerCalls.must(server.ask(operator, "POST", "/api/tenants/mallory/tokens", "{}"))
            .at("/token");
    server.release(
        tenant,
        """
        flow: explode
        steps:
          - id: text
            set: {a: "${input.a.replace('', input.a)}"}
        """);
    server.release(tenant, "flow: copies\nsteps:\n  - id: list\n    set:\n      all:\n" + copies());
    String base = "http://127.0.0.1:" + trap.getLocalPort();
    var connection = Map.of("http", Map.of("base", base, "privateHosts", List.of("127.0.0.1")));
    ServerCalls.must(server.ask(operator, "PUT", "/api/connections/trap", Json.write(connection)));
    server.release(
        operator,
        """
        flow: trapped
        steps:
          - id: call
            http: {connection: trap, method: GET, path: /}
            timeout: 3s
            retry: {attempts: 1}
        """);
  }

  private static String copies() {
    return "        - ${input}\n".repeat(400);
  }

  void begin() {
    String stream =
        "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(tenant);
    Thread.ofVirtual().start(this::spring);
    every(20, number -> server.get("hapax_wrong_" + number, "/api/runs"));
    every(20, number -> server.get(tenant, "/api//runs/%2e%2e/../tokens;x=" + number));
    every(40, number -> server.ask(null, "POST", "/hooks/order", "{\"id\": %d}".formatted(number)));
    every(100, _ -> hold("GET /api/ru"));
    every(250, number -> start(tenant, "explode", Map.of("a", BIG, "n", number)));
    every(500, number -> start(tenant, "copies", Map.of("a", BIG.repeat(40), "n", number)));
    every(500, number -> start(server.token(), "trapped", Map.of("n", number)));
    every(1000, number -> draft("steps" + number, steps(3000)));
    every(500, number -> draft("bomb" + number, bomb()));
    every(200, _ -> server.ask(tenant, "POST", "/api/flows/explode/runs", "[".repeat(50_000)));
    every(500, _ -> server.ask(tenant, "POST", "/api/flows/explode/runs", "\"" + BIG.repeat(100)));
    every(200, _ -> hold(stream));
  }

  private void every(long millis, Attack attack) {
    attackers.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int number = 0; !isOver.get(); number++) {
                    try {
                      attempts.incrementAndGet();
                      attack.attempt(number);
                    } catch (Exception e) {
                      // refused, which is what should happen
                    }
                    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
                  }
                }));
  }

  private void start(String bearer, String flow, Map<String, Object> input) throws Exception {
    server.ask(bearer, "POST", "/api/flows/" + flow + "/runs", Json.write(input));
  }

  private void draft(String flow, String steps) throws Exception {
    server.ask(tenant, "PUT", "/api/flows/" + flow + "/draft", "flow: " + flow + "\n" + steps);
  }

  private static String steps(int count) {
    var text = new StringBuilder("steps:\n");
    for (int i = 0; i < count; i++) {
      text.append("  - {id: s%d, set: {a: \"${input.a + 'x' + string(%d)}\"}}\n".formatted(i, i));
    }
    return text.toString();
  }

  private static String bomb() {
    var text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      text.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
    }
    return text.append("steps: *a11\n").toString();
  }

  /** Connections that are never read from; the oldest is closed. */
  private synchronized void hold(String said) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
    held.add(socket);
    if (held.size() > HELD) {
      held.remove().close();
    }
  }

  /** A destination that answers without end: each connection in another way. */
  private void spring() {
    List<String> ways =
        List.of("HTTP/1.1 100 Continue\r\n\r\n", "X-Same: header\r\n", "1\r\na\r\n", "x");
    for (int number = 0; !isOver.get(); number++) {
      try {
        Socket client = trap.accept();
        int way = number % ways.size();
        String first =
            switch (way) {
              case 1, 3 -> "HTTP/1.1 200 OK\r\n";
              case 2 -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
              default -> "";
            };
        Thread.ofVirtual().start(() -> pour(client, first, ways.get(way)));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void pour(Socket client, String first, String again) {
    try (client) {
      var out = client.getOutputStream();
      out.write(first.getBytes(StandardCharsets.US_ASCII));
      byte[] much = again.repeat(1000).getBytes(StandardCharsets.US_ASCII);
      while (!isOver.get()) {
        out.write(much);
      }
    } catch (IOException e) {
      // it has had enough
    }
  }

  int attempts() {
    return attempts.get();
  }

  @Override
  public void close() {
    isOver.set(true);
    attackers.forEach(Thread::interrupt);
    try {
      trap.close();
      letGo();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void letGo() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }
}
