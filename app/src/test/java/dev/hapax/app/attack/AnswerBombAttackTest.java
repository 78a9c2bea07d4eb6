package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers whose values take a hundred times their text, many of them at the same time. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswerBombAttackTest {
  private static final List<String> SMALL =
      List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

  private static final int BRANCHES = 8;
  private static final int RUNS = 6;

  @TempDir private Path folder;

  private static void answer(Socket client, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
    OutputStream out = client.getOutputStream();
    out.write(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
            .formatted(bytes.length)
            .getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.flush();
    client.shutdownOutput();
    while (client.getInputStream().read() >= 0) {
      // the request
    }
  }

  private static String flow(String name, String step) {
    var text = new StringBuilder("flow: %s\nsteps:\n  - id: all\n    parallel:\n".formatted(name));
    text.append("      branches:\n");
    for (int i = 0; i < BRANCHES; i++) {
      text.append("        b%1$d:\n          - {id: s%1$d, %2$s}\n".formatted(i, step));
    }
    return text.toString();
  }

  private static void connect(ServerProcess server, String name, String form) throws Exception {
    ServerProcess.must(server.ask(server.token(), "PUT", "/api/connections/" + name, form));
  }

  private static int attack(ServerProcess server, String flow, String text) throws Exception {
    server.release(server.token(), text);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> runs = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        runs.add(
            threads.submit(
                () ->
                    server.ask(
                        server.token(),
                        "POST",
                        "/api/flows/" + flow + "/runs",
                        "{}",
                        "Prefer",
                        "wait=60")));
      }
      for (Future<Reply> run : runs) {
        assertThat(run.get().status()).as(run.get().text()).isEqualTo(201);
      }
    }
    return RUNS * BRANCHES;
  }

  @Test
  void answers_that_explode_in_memory_end_no_server() throws Exception {
    String lists = "[" + "[],".repeat(340_000) + "1]";
    String model = "{\"choices\": [" + "[],".repeat(2_500_000) + "1]}";
    try (var web = new HostileServer((_, client) -> answer(client, lists));
        var llm = new HostileServer((_, client) -> answer(client, model));
        var server = new ServerProcess(folder, SMALL)) {
      String place = "\"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]";
      connect(server, "web", "{\"http\": {\"base\": %s}}".formatted(place.formatted(web.port())));
      connect(
          server,
          "model",
          "{\"llm\": {\"dialect\": \"openai\", \"base\": %s}}"
              .formatted(place.formatted(llm.port())));
      int attempts =
          attack(
              server,
              "reads",
              flow("reads", "http: {connection: web, path: /}, retry: {attempts: 1}"));
      attempts +=
          attack(
              server,
              "asks",
              flow(
                  "asks",
                  "llm: {connection: model, model: m, prompt: hello, maxTokens: 100}, retry: {attempts: 1}"));

      assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
      AttackTable.held(
          AnswerBombAttackTest.class, "Answers to steps that explode in memory", attempts);
    }
  }
}
