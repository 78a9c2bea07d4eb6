package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hapax dev} as a process that is killed, and one that is asked to stop. */
@Tag("crash")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevProcessTest {
  private static final String NAP =
      """
      flow: nap
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: sleep
          wait: {for: 1d}
      output: {awake: true}
      """;

  @TempDir private Path home;

  @Test
  void a_killed_server_continues_its_runs_when_it_is_started_again() throws Exception {
    Path flows = Files.createDirectory(home.resolve("flows"));
    Files.writeString(flows.resolve("nap.yaml"), NAP);
    String run;
    try (ChildProcess first = dev(flows)) {
      run =
          hapax("run", "nap", "--input", "{\"id\": \"A-1\"}", "--wait=0").at("/data/id").asString();
      first.kill();
    }

    try (ChildProcess second = dev(flows)) {
      hapax("dev", "clock", "+1d");
      JsonNode awake = hapax("runs", "show", run, "--wait");
      second.say("stop");
      int exit = second.awaitExit(ServerCalls.LONG);

      assertThat(awake.at("/data/status").asString()).isEqualTo("succeeded");
      assertThat(exit).isZero();
      assertThat(flows.resolve(".hapax-dev/dev.json")).doesNotExist();
    }
  }

  @Test
  void a_server_that_is_killed_while_it_records_leaves_readable_files() throws Exception {
    Path flows = Files.createDirectory(home.resolve("flows"));
    HttpServer psp =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    psp.createContext(
        "/",
        exchange -> {
          byte[] body = "[\"%s\"]".formatted("x".repeat(100_000)).getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    psp.start();
    String place = "127.0.0.1:" + psp.getAddress().getPort();
    Files.createDirectory(flows.resolve("connections"));
    Files.writeString(
        flows.resolve("connections/psp.yaml"),
        "http: {base: 'http://%s', privateHosts: ['127.0.0.1']}\n".formatted(place));
    Files.writeString(flows.resolve("many.yaml"), MANY);
    Path recording = flows.resolve("recordings/psp.json");

    for (int round = 0; round < 3; round++) {
      try (ChildProcess server = dev(flows, "--record", "--allow", place)) {
        var _ = hapax("run", "many", "--input", "{\"id\": \"%d\"}".formatted(round), "--wait=0");
        awaitFile(recording);
        server.kill();
      }
      JsonNode read = Json.tree(Files.readString(recording));

      assertThat(read.path("exchanges")).isNotEmpty();
    }
    psp.stop(0);
  }

  private static final String MANY =
      """
      flow: many
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: each
          forEach: {items: "${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}"}
          itemKey: ${string(item)}
          http: {connection: psp, method: GET, path: "/n/${item}"}
      output: {}
      """;

  private static void awaitFile(Path file) throws Exception {
    long end = System.nanoTime() + ServerCalls.LONG.toNanos();
    while (!Files.exists(file)) {
      assertThat(System.nanoTime()).as("waiting for %s", file).isLessThan(end);
      LockSupport.parkNanos(2_000_000);
    }
  }

  private ChildProcess dev(Path flows, String... more) throws Exception {
    var args = new ArrayList<>(List.of("dev", flows.toString(), "--port", "0"));
    args.addAll(List.of(more));
    ChildProcess process = ChildProcess.start(home, ServerProcess.class, List.of(), args);
    process.awaitLine(line -> line.startsWith("{"), ServerCalls.LONG);
    return process;
  }

  /** The verbs of {@code dev} find the server by themselves; the others are told where it is. */
  private JsonNode hapax(String... args) throws Exception {
    Path data = home.resolve("flows/.hapax-dev");
    String url = Json.tree(Files.readString(data.resolve("dev.json"))).path("url").asString();
    var out = new ByteArrayOutputStream();
    var place =
        new Surroundings(
            InputStream.nullInputStream(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            false,
            args[0].equals("dev")
                ? Map.of("HOME", home.toString())
                : Map.of("HOME", home.toString(), "HAPAX_URL", url, "HAPAX_DATA", data.toString()),
            home);
    int exit = new Cli(Main.verbs(), place).run(args);
    assertThat(exit).as(out.toString(UTF_8)).isZero();
    return Json.tree(out.toString(UTF_8));
  }
}
