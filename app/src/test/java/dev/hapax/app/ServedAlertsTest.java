package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.config.BadSettings;
import dev.hapax.app.config.SettingsReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server tells its operator what happens, and each tenant only of its own. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServedAlertsTest {
  private static final String ALERTS =
      """
      alerts={"failed": [{"webhook": {"connection": "pager"}}], "disk low": [{"webhook": {"connection": "pager"}}], "window": "1s"}""";

  private static final String FAILING =
      "flow: %s\nkey: ${input.id}\n%ssteps:\n  - id: no\n    fail: {code: no-room, message: none}\n";

  @TempDir Path folder;

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private volatile int status = 204;
  private HttpServer pager;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    pager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    pager.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
            heard.add(exchange.getRequestURI().getPath() + " " + signature + " " + body);
            exchange.sendResponseHeaders(status, -1);
          }
        });
    pager.start();
    serve(ALERTS);
  }

  private void serve(String... settings) throws IOException {
    server = new TestServer(folder.resolve("data"), settings);
    server.put(
        "/api/secrets/signing",
        "{\"value\": \"whsec_MDEyMzQ1Njc4OWFiY2RlZg==\", \"hosts\": [\"127.0.0.1\"]}");
    connect("pager");
  }

  private void connect(String name) {
    assertThat(
            server
                .put(
                    "/api/connections/" + name,
                    """
                    {"webhook": {"url": "http://127.0.0.1:%d/%s", "secret": "signing", "privateHosts": ["127.0.0.1"]}}"""
                        .formatted(pager.getAddress().getPort(), name))
                .status())
        .isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
    pager.stop(0);
  }

  private String nextHeard() throws InterruptedException {
    String next = heard.poll(60, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(2_000_000); // each look is a request
    }
  }

  private void fail(String flow, String id) {
    String run = server.post("/api/flows/" + flow + "/runs", "{\"id\": \"" + id + "\"}").at("/id");
    await(() -> server.get("/api/runs/" + run).at("/status").equals("failed"));
  }

  @Test
  void a_failed_run_is_reported_by_a_signed_webhook_and_listed() throws Exception {
    server.release(FAILING.formatted("breaks", ""));
    fail("breaks", "A");

    assertThat(nextHeard())
        .startsWith("/pager v1,")
        .contains(
            "hapax.alert.failed", "\"flow\":\"breaks\"", "\"code\":\"no-room\"", "\"count\":1");
    await(() -> server.get("/api/alerts").at("/deliveries/0/state").equals("succeeded"));
    TestServer.Reply listed = server.get("/api/alerts");
    assertThat(listed.at("/channels/0/channel")).isEqualTo("webhook/pager");
    assertThat(listed.at("/channels/0/alerts")).isEqualTo("[\"failed\",\"disk low\"]");
    assertThat(listed.at("/deliveries/0/channel")).isEqualTo("webhook/pager");
  }

  @Test
  void a_flow_replaces_the_channels_of_the_server_for_its_own_runs() throws Exception {
    connect("own");
    server.release(
        FAILING.formatted("breaks", "alerts: {failed: [{webhook: {connection: own}}]}\n"));
    fail("breaks", "A");

    assertThat(nextHeard()).startsWith("/own v1,");
  }

  @Test
  void deployed_alerts_are_sent_at_once_and_after_a_restart() throws Exception {
    connect("deployed");
    server.release(FAILING.formatted("breaks", ""));
    String folder =
        """
        {"alerts": {"failed": [{"webhook": {"connection": "deployed"}}], "window": "1s"}%s}
        """;
    String plan = server.post("/api/deployments/plan", folder.formatted("")).at("/plan");
    TestServer.Reply made =
        server.post("/api/deployments", folder.formatted(", \"plan\": \"" + plan + "\""));
    assertThat(made.status()).as(made.raw().body()).isEqualTo(201);

    fail("breaks", "A");
    assertThat(nextHeard()).startsWith("/deployed v1,").contains("\"flow\":\"breaks\"");

    server.close();
    serve(ALERTS);
    assertThat(server.get("/api/alerts").at("/deployed/window")).isEqualTo("1s");
    server.release(FAILING.formatted("others", ""));
    fail("others", "B");
    String next = nextHeard();
    while (!next.contains("\"flow\":\"others\"")) { // the count of the first window comes before
      next = nextHeard();
    }
    assertThat(next).as("instead of the setting").startsWith("/deployed v1,");
  }

  @Test
  void an_alert_of_another_tenant_does_not_reach_the_operators_channel() throws Exception {
    String acme = "Bearer " + server.tokenOf("acme");
    server.post("/api/tenants", "{\"name\": \"acme\"}");
    String text = FAILING.formatted("breaks", "");
    send(acme, "PUT", "/api/flows/breaks/draft", "application/yaml", text);
    send(acme, "POST", "/api/flows/breaks/releases", "application/json", "{}");
    send(acme, "PUT", "/api/flows/breaks/live", "application/json", "{\"release\": 1}");
    TestServer.Reply run =
        send(acme, "POST", "/api/flows/breaks/runs", "application/json", "{\"id\": \"of-acme\"}");
    await(
        () ->
            send(acme, "GET", "/api/runs/" + run.at("/id"), "application/json", "")
                .at("/status")
                .equals("failed"));
    server.release(FAILING.formatted("breaks", ""));
    fail("breaks", "of-operator");

    assertThat(nextHeard()).contains("of-operator");
    assertThat(heard).isEmpty();
    assertThat(send(acme, "GET", "/api/alerts", "application/json", "").at("/channels"))
        .isEqualTo("[]");
    assertThat(send(acme, "POST", "/api/alerts/test", "application/json", "{}").status())
        .isEqualTo(404);
  }

  private TestServer.Reply send(
      String token, String method, String path, String type, String body) {
    var request =
        server.request(path).setHeader("Authorization", token).setHeader("Content-Type", type);
    return server.send(
        body.isEmpty() ? request.GET() : request.method(method, BodyPublishers.ofString(body)));
  }

  @Test
  void a_test_reports_what_happened_on_each_channel() throws Exception {
    TestServer.Reply sent = server.post("/api/alerts/test", "{}");
    assertThat(sent.status()).isEqualTo(200);
    assertThat(sent.at("/items/0/delivered")).isEqualTo("true");
    assertThat(nextHeard()).contains("hapax.alert.test", "Nothing is wrong");

    status = 410;
    TestServer.Reply refused = server.post("/api/alerts/test", "{\"channel\": \"webhook/pager\"}");
    assertThat(refused.at("/items/0/delivered")).isEqualTo("false");
    assertThat(refused.at("/items/0/problem")).contains("gone");
    assertThat(server.post("/api/alerts/test", "{\"channel\": \"email/x\"}").status())
        .isEqualTo(404);
  }

  @Test
  void a_disk_that_is_almost_full_is_reported_to_the_operator() throws Exception {
    server.close();
    serve(ALERTS, "limits.freeBytes=" + Long.MAX_VALUE);

    assertThat(nextHeard()).contains("hapax.alert.disk-low", "MiB are free");
  }

  @Test
  void a_wrong_setting_is_refused_with_what_was_expected() throws IOException {
    Path file = folder.resolve("hapax.yaml");
    Files.writeString(
        file,
        "alerts:\n  fialed: [{webhook: {connection: pager}}]\n  review: [{email: {connection: smtp}}]\n");

    assertThatThrownBy(() -> new SettingsReader().file(file).set(List.of()).read())
        .isInstanceOf(BadSettings.class)
        .hasMessageContaining("'fialed' is not a field of alerts, did you mean 'failed'?")
        .hasMessageContaining("needs 'to'");
  }
}
