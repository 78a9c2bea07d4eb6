package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that are larger than the memory of the process that gets them: they are resources, and
 * what is too large even for that is refused in so many words.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeAnswerTest {
  private static final int MEGABYTE = 1 << 20;

  private static final String FLOW =
      """
      flow: fetch
      key: ${input.id}
      steps:
        - id: fetch
          http: {connection: archive, path: "/${input.megabytes}"}
          retry: {attempts: 1}
          onError: continue
        - id: make
          http: {connection: archive, method: PUT, path: "/${input.megabytes}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1}
      output:
        fetched: "${steps.fetch.error == null ? steps.fetch.output : steps.fetch.error}"
        made: ${steps.make.output.body}
      """;

  /** Gets one answer after the other, and prints what its flow made of each. */
  static final class Fetching {
    private Fetching() {}

    public static void main(String[] arguments) throws Exception {
      ChildProcess.endWithParent();
      Connection archive = Connection.Http.of("archive", arguments[1]).privateHosts("127.0.0.1");
      try (FlowFiles files =
              FlowFiles.with(Ports.system()).connections(_ -> Optional.of(archive)).open();
          Hapax hapax =
              Hapax.open(Path.of(arguments[0]).resolve("store.db"), HapaxOptions.DEFAULT)) {
        LoadedFlow flow = files.load("fetch.yaml", FLOW, 1);
        files.register(hapax, flow);
        for (int i = 2; i < arguments.length; i++) {
          var input = Map.of("id", arguments[i], "megabytes", Integer.valueOf(arguments[i]));
          System.out.println(Json.write(flow.start(hapax, input).await()));
        }
      }
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    int megabytes = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    exchange.getResponseHeaders().add("Content-Type", "text/csv");
    boolean inChunks = exchange.getRequestMethod().equals("PUT");
    exchange.sendResponseHeaders(200, inChunks ? 0 : (long) megabytes * MEGABYTE);
    try (exchange;
        OutputStream body = exchange.getResponseBody()) {
      for (int i = 0; i < megabytes; i++) {
        body.write(megabyte(i));
      }
    }
  }

  private static byte[] megabyte(int number) {
    byte[] bytes = new byte[MEGABYTE];
    java.util.Arrays.fill(bytes, (byte) ('a' + number % 26));
    return bytes;
  }

  private static String ref(int megabytes) {
    MessageDigest digest = Digest.sha256();
    for (int i = 0; i < megabytes; i++) {
      digest.update(megabyte(i));
    }
    return "res://" + HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void they_are_streamed_into_resources(@TempDir Path folder) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", LargeAnswerTest::answer);
    server.start();
    String base = "http://127.0.0.1:" + server.getAddress().getPort();
    try (var process =
        ChildProcess.start(
            folder,
            Fetching.class,
            List.of("-Xmx48m"),
            List.of(folder.toString(), base, "60", "200"))) {
      assertThat(process.awaitExit(Duration.ofSeconds(100))).as("%s", process).isZero();

      List<String> outputs = process.lines();
      Map<?, ?> kept = Json.read(outputs.get(0), Map.class);
      String expected =
          "{ref=%s, bytes=%d, contentType=text/csv}".formatted(ref(60), 60 * MEGABYTE);
      assertThat(String.valueOf(kept.get("made"))).isEqualTo(expected);
      assertThat(String.valueOf(kept.get("fetched"))).contains("body=" + expected);
      Map<?, ?> refused = Json.read(outputs.get(1), Map.class);
      assertThat(String.valueOf(refused.get("fetched")))
          .contains("answer-too-large", "more than 67,108,864 bytes is too large to be stored");
      assertThat(String.valueOf(refused.get("made")))
          .contains("error=the answer was not kept", "67,108,864");
    } finally {
      server.stop(0);
    }
  }
}
