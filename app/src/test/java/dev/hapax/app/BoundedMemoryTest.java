package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with little memory, and many callers that send bodies at once that are too large, too
 * deep, too slow or malformed. Each gets a reason, or loses its connection. The server still
 * answers well-formed requests meanwhile.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class BoundedMemoryTest {
  /** A server that has nothing to do lives with a third of it. */
  private static final String MEMORY = "-Xmx128m";

  private static final int ATTACKERS = 24;
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path folder;

  private final Set<String> unexpected = new ConcurrentSkipListSet<>();

  /**
   * What many send.
   *
   * @param status of the answer, unless there is no room at this moment
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Attack(int status, String name, byte[] request) {
    Attack(int status, String name, String request) {
      this(status, name, bytes(request));
    }
  }

  @Test
  void bad_input_of_many_at_once_is_refused_and_others_are_served() throws Exception {
    try (var server = new ServerProcess(folder, List.of(MEMORY, "-XX:+ExitOnOutOfMemoryError"))) {
      ServerProcess.must(
          server.ask(server.token(), "PUT", "/api/secrets/hook", "{\"value\": \"unknown\"}"));
      server.release(server.token(), FLOW);
      var done = new AtomicBoolean();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var good = threads.submit(() -> askSensibly(server, done));
        try {
          attack(server);
        } finally {
          done.set(true);
        }
        assertThat(good.get()).isPositive();
      }

      assertThat(run(server, "at the end").at("/status")).isEqualTo("succeeded");
      assertThat(server.log()).doesNotContain("OutOfMemoryError");
      assertThat(unexpected).isEmpty();
    }
  }

  private static final String FLOW =
      """
      flow: good
      key: ${input.id}
      triggers:
        - webhook: {path: good, verify: {scheme: hmac, secret: hook, header: X-Signature}, event: "${event.body.id}", input: "${event.body}"}
      steps:
        - {id: sum, set: {n: "${has(input.n) ? input.n : 1}"}}
      output: {n: "${steps.sum.output.n}"}
      """;

  /** How often it got a good answer, until the test ends it. */
  private static int askSensibly(ServerProcess server, AtomicBoolean done) throws Exception {
    int times = 0;
    while (!done.get()) {
      assertThat(server.get(null, "/readyz").status()).isEqualTo(200);
      assertThat(run(server, "good-" + times).at("/status")).isEqualTo("succeeded");
      times++;
    }
    return times;
  }

  private static Reply run(ServerProcess server, String id) throws Exception {
    return server.ask(
        server.token(),
        "POST",
        "/api/flows/good/runs",
        Json.write(Map.of("id", id)),
        "Prefer",
        "wait=30");
  }

  // ---- attacks

  private void attack(ServerProcess server) throws Exception {
    String start = "POST /api/flows/good/runs HTTP/1.1\r\n" + head(server);
    String hook = "POST /hooks/good HTTP/1.1\r\n" + head(server);
    String draft = "PUT /api/flows/x/draft HTTP/1.1\r\n" + head(server);
    String file = draft.replace("json", "yaml");
    String large = "x".repeat(MEGABYTE - 100);
    List<Attack> attacks =
        List.of(
            new Attack(413, "too long", start + "Content-Length: 99999999\r\n\r\n" + large),
            new Attack(413, "endless", start + "Transfer-Encoding: chunked\r\n\r\n" + chunks()),
            new Attack(401, "forged", with(hook, "{\"id\": \"" + large + "\"}")),
            new Attack(400, "deep", with(start, "[".repeat(MEGABYTE))),
            new Attack(400, "many lists", with(start, "[" + "[],".repeat(300_000) + "[]]")),
            new Attack(400, "many members", with(start, members())),
            new Attack(400, "large number", with(start, "{\"id\": 1e99999999999999}")),
            new Attack(400, "long number", with(start, "{\"n\": " + "9".repeat(900_000) + "}")),
            new Attack(400, "long name", with(start, "{\"" + large + "\": 1}")),
            new Attack(400, "long key", with(start, "{\"id\": \"" + large + "\"}")),
            new Attack(431, "headers", with(start + "X-More: 1\r\n".repeat(10_000), "{}")),
            new Attack(400, "query", get(server, "/api/runs?a=" + "q".repeat(15_000))),
            new Attack(414, "address", get(server, "/api/" + "q".repeat(100_000))),
            new Attack(400, "bomb", with(start + "Content-Encoding: gzip\r\n", bomb())),
            new Attack(200, "aliases", with(file, aliases())), // with findings
            new Attack(200, "deep file", with(file, "flow: x\nsteps: " + "[".repeat(500_000))),
            new Attack(400, "many digits", with(start, "{\"id\": 1e999999999}")));
    List<Socket> idle = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1_000; i++) {
        Socket socket = connect(server);
        socket.getOutputStream().write(bytes(i % 2 == 0 ? start : ""));
        idle.add(socket);
      }
      for (int i = 0; i < ATTACKERS; i++) {
        attacks.forEach(attack -> threads.execute(() -> send(server, attack)));
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  private static String get(ServerProcess server, String path) {
    return "GET " + path + " HTTP/1.1\r\n" + head(server) + "\r\n";
  }

  private static String head(ServerProcess server) {
    return "Host: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nAuthorization: Bearer "
        + server.token()
        + "\r\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] with(String head, String body) {
    return with(head, bytes(body));
  }

  private static byte[] with(String head, byte[] body) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(bytes(head + "Content-Length: " + body.length + "\r\n\r\n"));
    all.writeBytes(body);
    return all.toByteArray();
  }

  private static String chunks() {
    return ("10000\r\n" + "x".repeat(0x10000) + "\r\n").repeat(64);
  }

  private static String members() {
    var text = new StringBuilder("{\"0\": 0");
    for (int i = 1; text.length() < MEGABYTE - 20; i++) {
      text.append(",\"").append(i).append("\":{}");
    }
    return text.append('}').toString();
  }

  private static byte[] bomb() throws IOException {
    var all = new ByteArrayOutputStream();
    try (var zipped = new GZIPOutputStream(all)) {
      byte[] part = "x".repeat(MEGABYTE).getBytes(UTF_8);
      for (int i = 0; i < 50; i++) {
        zipped.write(part);
      }
    }
    return all.toByteArray();
  }

  private static String aliases() {
    var text = new StringBuilder("flow: x\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      String before = "*a" + (i - 1);
      text.append(
          "a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", Collections.nCopies(10, before))));
    }
    return text.toString();
  }

  private static Socket connect(ServerProcess server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
  }

  /** Notes an unexpected status. The server may hang up while a caller still sends. */
  private void send(ServerProcess server, Attack attack) {
    String status = "";
    try (Socket socket = connect(server)) {
      Thread.startVirtualThread(() -> write(socket, attack.request()));
      InputStream in = socket.getInputStream();
      status = new String(in.readNBytes("HTTP/1.1 400".length()), UTF_8).replaceFirst(".* ", "");
    } catch (IOException e) {
      // it was cut off
    }
    // On a fast machine all of it is beyond the rate of one token, too.
    if (!Set.of("", "429", "503", "" + attack.status()).contains(status)) {
      unexpected.add(attack.name() + ": " + status);
    }
  }

  private static void write(Socket socket, byte[] request) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
    } catch (IOException e) {
      // the server does not listen any more
    }
  }
}
