package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret that is used, echoed by its destination and asked for everywhere, is shown nowhere. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class CanaryTest {
  private static final String CANARY = "canary-2d7f-very-secret-value";
  private static final List<String> FORMS =
      List.of(
          CANARY,
          Base64.getEncoder()
              .withoutPadding()
              .encodeToString(CANARY.getBytes(StandardCharsets.UTF_8)));

  @TempDir Path folder;

  @Test
  void no_answer_log_metric_or_file_holds_a_secret() throws Exception {
    var written = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    var shown = new StringBuilder();
    HttpServer echo = echo();
    System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try (var server = new TestServer(folder)) {
      useTheSecret(server, echo.getAddress().getPort());
      server.routes().stream()
          .filter(route -> route.method().name().equals("GET") && route.parameters().isEmpty())
          .filter(route -> !route.path().equals("/api/events"))
          .forEach(route -> shown.append(server.get(route.path()).raw().body()).append('\n'));
      String run = server.get("/api/runs").at("/items/0/id");
      shown.append(server.get("/api/runs/" + run).raw().body());
      shown.append(server.get("/api/runs/" + run + "/history").raw().body());
      shown.append(server.get("/api/connections/echo").raw().body());
    } finally {
      System.setOut(out);
      System.setErr(err);
      echo.stop(0);
    }

    assertThat(shown.toString()).contains("echo-token", "echoes", "[redacted]");
    for (String form : FORMS) {
      assertThat(shown.toString()).doesNotContain(form);
      assertThat(written.toString(StandardCharsets.UTF_8)).doesNotContain(form);
      assertThat(filesWith(form)).isEmpty();
    }
  }

  /** A destination that tells in its answer how it was asked. */
  private static HttpServer echo() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer =
              "{\"echoes\": \"" + exchange.getRequestHeaders().getFirst("Authorization") + "\"}";
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length());
          exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void useTheSecret(TestServer server, int port) {
    assertThat(server.put("/api/secrets/echo-token", "{\"value\": \"" + CANARY + "\"}").status())
        .isEqualTo(204);
    String connection =
        """
        {"http": {"base": "http://127.0.0.1:%d", "auth": {"bearer": "echo-token"}, "privateHosts": ["127.0.0.1"]}}
        """
            .formatted(port);
    assertThat(server.put("/api/connections/echo", connection).status()).isEqualTo(200);
    server.release(
        """
        flow: echo
        key: ${input.id}
        steps:
          - id: ask
            http: {connection: echo, method: GET, path: /}
          - id: tell
            http: {connection: echo, method: POST, path: /, body: {told: "${steps.ask.output.body.echoes}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        output: {said: "${steps.tell.output.body}"}
        """);
    TestServer.Reply run =
        server.post("/api/flows/echo/runs", "{\"id\": \"1\"}", "Prefer", "wait=20");
    assertThat(run.at("/status")).as(run.raw().body()).isEqualTo("succeeded");
    server.put("/api/secrets/bad%20name", "{\"value\": \"" + CANARY + "\"}");
    server.put("/api/secrets/other", "{\"value\": {\"deep\": \"" + CANARY + "\"}}");
    server.put("/api/secrets/other", "{\"valu\": \"" + CANARY + "\"}");
  }

  private List<String> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> holds(file, text))
          .map(Path::toString)
          .toList();
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
