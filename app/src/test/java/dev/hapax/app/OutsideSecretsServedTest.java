package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A served flow uses secrets from outside the store. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutsideSecretsServedTest {
  @TempDir Path folder;

  private final List<String> credentials = new CopyOnWriteArrayList<>();
  private HttpServer bank;
  private TestServer server;
  private Path secret;

  @BeforeEach
  void start() throws IOException {
    bank = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    bank.createContext(
        "/",
        exchange -> {
          String sent = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
          credentials.add(sent);
          byte[] echo = ("{\"echo\": \"" + sent + "\"}").getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, echo.length);
          exchange.getResponseBody().write(echo);
          exchange.close();
        });
    bank.start();
    secret = folder.resolve("bank-token");
    Path sources =
        Files.writeString(
            folder.resolve("sources.yaml"),
            "secrets:\n  default:\n    bank-token: {file: \"%s\"}\n    hook: {file: \"%s\"}\n"
                .formatted(secret, folder.resolve("hook")));
    server = new TestServer(folder.resolve("data"), "secrets.sources=" + sources);
    server.put(
        "/api/connections/bank",
        """
        {"http": {"base": "http://127.0.0.1:%d", "auth": {"bearer": "bank-token"}, "privateHosts": ["127.0.0.1"]}}"""
            .formatted(bank.getAddress().getPort()));
    server.release(
        """
        flow: pay
        key: ${input.id}
        triggers:
          - webhook: {path: pay, verify: {scheme: hmac, secret: hook}, event: "${event.body.id}"}
        steps:
          - id: pay
            http: {connection: bank, method: POST, path: /payments, body: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: none}
            retry: {attempts: 1}
        output: ${steps.pay.output}
        """);
    server.release(
        """
        flow: look
        key: ${input.id}
        steps:
          - id: look
            http: {connection: bank, method: GET, path: /balance}
            retry: {attempts: 1}
        output: ${steps.look.output}
        """);
  }

  @AfterEach
  void stop() {
    server.close();
    bank.stop(0);
  }

  private TestServer.Reply run(String flow, Predicate<String> until) {
    TestServer.Reply run = server.post("/api/flows/" + flow + "/runs", "{\"id\": \"1\"}");
    while (!until.test(run.at("/status"))) {
      run = server.get("/api/runs/" + run.at("/id"));
    }
    return run;
  }

  @Test
  void a_step_waits_for_its_secret_and_uses_the_newest_one() throws IOException {
    TestServer.Reply waits = run("pay", status -> status.equals("waiting"));
    run("look", status -> status.equals("waiting"));
    String history = server.get("/api/runs/" + waits.at("/id") + "/history").raw().body();
    assertThat(history).contains("unavailable: secret 'bank-token'");
    assertThat(credentials).isEmpty();

    Files.writeString(secret, "first-secret-value\n");
    TestServer.Reply paid = run("pay", status -> status.equals("succeeded"));
    run("look", status -> status.equals("succeeded"));

    assertThat(credentials)
        .containsExactly("Bearer first-secret-value", "Bearer first-secret-value");
    assertThat(paid.raw().body()).as("redacted").doesNotContain("first-secret-value");
    assertThat(server.get("/api/audit").raw().body())
        .contains("use secret", "bank-token", "not available from file", "read from file")
        .doesNotContain("first-secret-value", secret.toString());
  }

  @Test
  void a_secret_from_outside_is_listed_and_cannot_be_written() {
    TestServer.Reply list = server.get("/api/secrets");
    TestServer.Reply put = server.put("/api/secrets/bank-token", "{\"value\": \"mine\"}");

    assertThat(list.at("/items/0/name")).isEqualTo("bank-token");
    assertThat(list.at("/items/0/source")).isEqualTo("file");
    assertThat(list.raw().body()).doesNotContain(folder.toString());
    assertThat(put.status()).isEqualTo(409);
    assertThat(put.at("/detail")).contains("comes from outside");
    assertThat(server.delete("/api/secrets/bank-token").status()).isEqualTo(409);
    assertThat(server.put("/api/secrets/own", "{\"value\": \"mine\"}").status()).isEqualTo(204);
    assertThat(server.get("/api/secrets?limit=2").at("/next")).isEqualTo("hook");
    assertThat(server.get("/api/secrets?after=hook").at("/items/0/source")).isEqualTo("vault");
  }

  @Test
  void a_webhook_whose_secret_cannot_be_had_is_delivered_again_later() {
    TestServer.Reply early = server.post("/hooks/pay", "{\"id\": \"1\"}", "X-Signature", "00");

    assertThat(early.status()).as("its sender tries again").isEqualTo(503);
    assertThat(early.raw().body()).doesNotContain(folder.toString());
  }
}
