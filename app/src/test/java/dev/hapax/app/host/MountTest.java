package dev.hapax.app.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.HapaxMount;
import dev.hapax.app.config.SettingsReader;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The routes in another program's container, below its context path and a prefix: nothing is lost,
 * nothing is open, and every address that they return can be followed. Shown in
 * docs/start/hosting.md.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MountTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String HAPAX = "/shop/hapax";

  private static final String ORDER =
      """
      flow: order
      key: ${input.id}
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: hmac, header: X-Shop-Signature, secret: shop-signing}
            event: ${event.body.id}
            input: {id: "${event.body.id}"}
      steps:
        - id: charge
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
      output: {charged: "${steps.charge.output.charged}"}
      """;

  private static final String ASK =
      """
      flow: ask
      key: ${input.id}
      steps:
        - {id: link, set: {url: "${callback('paid').url}"}}
        - {id: release, approval: {ask: "Send it?", expires: 3d}}
        - {id: paid, wait: {callback: {expires: 1h}}}
      output: {url: "${steps.link.output.url}", paid: "${steps.paid.output}"}
      """;

  @TempDir static Path folder;
  private static Shop shop;
  private static String token;

  @BeforeAll
  static void open() throws Exception {
    shop = new Shop(folder);
    token = Objects.requireNonNull(shop.mount().firstToken());
    send("PUT", HAPAX + "/api/secrets/shop-signing", "{\"value\": \"whsec\"}");
    goLive("order", ORDER);
    goLive("ask", ASK);
  }

  @AfterAll
  static void close() {
    shop.close();
  }

  private static void goLive(String flow, String text) throws Exception {
    String at = HAPAX + "/api/flows/" + flow;
    sendAs(token, "PUT", at + "/draft", text, Map.of("Content-Type", "application/yaml"));
    Reply released = send("POST", at + "/releases", "{}");
    assertThat(released.status()).as(released.text()).isEqualTo(201);
    assertThat(released.header("Location")).isEqualTo(at + "/releases/1");
    assertThat(send("PUT", at + "/live", "{\"release\": 1}").status()).isEqualTo(200);
  }

  @Test
  void the_programs_own_pages_are_where_they_were() throws Exception {
    assertThat(sendAs(null, "GET", "/shop/hello", null, Map.of()).text())
        .isEqualTo("the shop is open");
    assertThat(sendAs(token, "GET", "/shop/api/runs", null, Map.of()).status()).isEqualTo(404);
  }

  @Test
  void a_run_is_started_waited_for_and_found_where_its_location_says() throws Exception {
    Reply run = start("order", "A-1");

    assertThat(run.status()).isEqualTo(201);
    assertThat(run.json().at("/output/charged").asString()).isEqualTo("A-1");
    String location = Objects.requireNonNull(run.header("Location"));
    assertThat(location).isEqualTo(HAPAX + "/api/runs/" + run.json().path("id").asString());
    assertThat(send("GET", location, null).json().path("key").asString()).isEqualTo("A-1");
    Reply again = start("order", "A-1");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void a_file_starts_a_flow_in_java_as_its_child() throws Exception {
    goLive(
        "welcome",
        """
        flow: welcome
        key: ${input.id}
        steps:
          - {id: greeting, flow: {name: greet, input: {name: "${input.id}"}}}
        output: ${steps.greeting.output.text}
        """);

    Reply run = start("welcome", "Eve");

    assertThat(run.json().path("output").asString()).as(run.text()).isEqualTo("Hello Eve");
  }

  @Test
  void a_flow_in_java_is_started_as_a_file_is_and_its_name_stays_its_own() throws Exception {
    String greet = HAPAX + "/api/flows/greet";
    Reply run =
        sendAs(token, "POST", greet + "/runs", "{\"name\": \"Ann\"}", Map.of("Prefer", "wait=20"));
    Reply draft =
        sendAs(
            token,
            "PUT",
            greet + "/draft",
            "flow: greet\nsteps:\n  - {id: a, set: {b: c}}\n",
            Map.of("Content-Type", "application/yaml"));

    assertThat(run.json().at("/output/text").asString()).as(run.text()).isEqualTo("Hello Ann");
    assertThat(shop.mount().hapax().run(run.json().path("id").asString()).key()).isEqualTo("Ann");
    assertThat(draft.status()).isEqualTo(409);
  }

  @Test
  void only_the_method_counts_and_head_needs_what_get_needs() throws Exception {
    String runs = HAPAX + "/api/runs";
    assertThat(sendAs(null, "HEAD", runs, null, Map.of()).status()).isEqualTo(401);
    assertThat(sendAs(token, "HEAD", runs, null, Map.of()).status()).isEqualTo(200);
    String secret = HAPAX + "/api/secrets/shop-signing";
    Map<String, String> replaced = Map.of("X-HTTP-Method-Override", "DELETE");
    assertThat(sendAs(token, "GET", secret, null, replaced).status()).isEqualTo(405);
  }

  @Test
  void lists_are_paged() throws Exception {
    Set<String> started = Set.of("P-1", "P-2", "P-3", "P-4", "P-5");
    for (String id : started) {
      start("order", id);
    }

    var seen = new HashSet<String>();
    String next = "";
    do {
      String at = HAPAX + "/api/runs?flow=order&limit=2" + next;
      JsonNode page = send("GET", at, null).json();
      assertThat(page.path("items").size()).isBetween(1, 2);
      page.path("items")
          .forEach(item -> assertThat(seen.add(item.path("key").asString())).isTrue());
      JsonNode cursor = page.path("next");
      next =
          cursor.isString()
              ? "&after=" + URLEncoder.encode(cursor.asString(), StandardCharsets.UTF_8)
              : "";
    } while (!next.isEmpty());
    assertThat(seen).containsAll(started);
  }

  @Test
  void events_are_sent_as_they_happen() throws Exception {
    HttpResponse<InputStream> events =
        CLIENT.send(
            request(token, "GET", HAPAX + "/api/events", null, Map.of()),
            BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      String run = start("order", "E-1").json().path("id").asString();

      String line = lines.readLine();
      while (line != null && !line.contains(run)) {
        line = lines.readLine();
      }
      assertThat(line).startsWith("data:").contains(run);
    }
    assertThat(events.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
  }

  @Test
  void a_webhook_is_believed_by_its_signature() throws Exception {
    String body = "{\"id\": \"W-1\"}";
    Map<String, String> signed = Map.of("X-Shop-Signature", sign(body));
    String hook = HAPAX + "/hooks/shop/orders";

    Reply first = sendAs(null, "POST", hook, body, signed);
    Reply second = sendAs(null, "POST", hook, body, signed);
    Reply forged = sendAs(null, "POST", hook, body + " ", signed);

    assertThat(first.json().path("outcome").asString()).as(first.text()).isEqualTo("accepted");
    assertThat(second.json().path("outcome").asString()).isEqualTo("duplicate");
    assertThat(second.json().path("run")).isEqualTo(first.json().path("run"));
    assertThat(forged.status()).isEqualTo(401);
  }

  private static String sign(String body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("whsec".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void an_approval_and_a_callback_are_answered_at_the_addresses_that_were_handed_out()
      throws Exception {
    String run =
        send("POST", HAPAX + "/api/flows/ask/runs", "{\"id\": \"L-1\"}")
            .json()
            .path("id")
            .asString();
    String link = awaitLink(run);
    Reply page = sendAs(null, "GET", link, null, Map.of());
    assertThat(page.text()).contains("Send it?", "<form method=\"post\">"); // to its own address

    Reply decided =
        sendAs(
            null,
            "POST",
            link,
            "name=Ann&decision=approve",
            Map.of("Content-Type", "application/x-www-form-urlencoded"));
    assertThat(decided.text()).contains("Decided: approve by Ann");

    String history = send("GET", HAPAX + "/api/runs/" + run + "/history", null).text();
    String callback = history.replaceAll("(?s).*\"(http[^\"]*/api/callbacks/[a-z0-9]+)\".*", "$1");
    assertThat(callback).startsWith(shop.url() + HAPAX + "/api/callbacks/");
    assertThat(sendAs(null, "POST", pathOf(callback), "{\"by\": \"card\"}", Map.of()).status())
        .isEqualTo(200);
    assertThat(awaitEnd(run).at("/output/paid/by").asString()).isEqualTo("card");
  }

  private static String awaitLink(String run) throws Exception {
    while (true) {
      for (JsonNode item : send("GET", HAPAX + "/api/approvals", null).json().path("items")) {
        if (item.path("run").asString().equals(run)) {
          String link = item.path("link").asString();
          assertThat(link).startsWith(shop.url() + HAPAX + "/approvals/");
          return pathOf(link);
        }
      }
    }
  }

  private static JsonNode awaitEnd(String run) throws Exception {
    JsonNode seen = send("GET", HAPAX + "/api/runs/" + run, null).json();
    while (seen.path("endedAt").isNull() || seen.path("endedAt").isMissingNode()) {
      seen = send("GET", HAPAX + "/api/runs/" + run, null).json();
    }
    return seen;
  }

  private static String pathOf(String address) {
    return URI.create(address).getRawPath();
  }

  @Test
  void what_is_not_there_is_a_problem() throws Exception {
    Reply nothing = send("GET", HAPAX + "/api/nothing", null);

    assertThat(nothing.status()).isEqualTo(404);
    assertThat(nothing.header("Content-Type")).startsWith("application/problem+json");
    assertThat(nothing.json().path("type").asString()).endsWith("/not-found");
    assertThat(send("DELETE", HAPAX + "/api/runs", null).status()).isEqualTo(405);
    assertThat(send("POST", HAPAX + "/api/flows/order/runs", "{\"a\":1,\"a\":2}").status())
        .isEqualTo(400);
    assertThat(send("POST", HAPAX + "/api/flows/order/runs", "x".repeat((1 << 20) + 1)).status())
        .isEqualTo(413);
  }

  @Test
  void the_document_says_where_it_is_and_no_route_of_it_is_open_to_others() throws Exception {
    JsonNode document = sendAs(null, "GET", HAPAX + "/openapi.json", null, Map.of()).json();
    String narrow =
        send("POST", HAPAX + "/api/tokens", "{\"name\": \"reader\", \"scopes\": [\"runs:read\"]}")
            .json()
            .path("token")
            .asString();
    int closed = 0;
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> call : path.getValue().properties()) {
        String scope = call.getValue().at("/security/0/token/0").asString("");
        if (!scope.isEmpty()) {
          closed++;
          String method = call.getKey().toUpperCase(Locale.ROOT);
          String at = HAPAX + path.getKey().replaceAll("[{}]", "");
          String body = method.equals("GET") || method.equals("DELETE") ? null : "{}";
          assertThat(statusAs(null, method, at, body)).as(method + at).isEqualTo(401);
          boolean isForbidden = statusAs(narrow, method, at, body) == 403;
          assertThat(isForbidden)
              .as(method + at)
              .isEqualTo(!List.of("runs:read", "any").contains(scope));
        }
      }
    }
    assertThat(closed).isGreaterThan(30);
    assertThat(document.at("/servers/0/url").asString()).isEqualTo(HAPAX);
  }

  private static int statusAs(@Nullable String who, String method, String at, @Nullable String body)
      throws Exception {
    HttpResponse<InputStream> answer =
        CLIENT.send(request(who, method, at, body, Map.of()), BodyHandlers.ofInputStream());
    answer.body().close(); // a stream would go on
    return answer.statusCode();
  }

  @Test
  void closing_answers_what_was_asked_and_nothing_more(@TempDir Path other) throws Exception {
    try (var closing = new Shop(other)) {
      String admin = Objects.requireNonNull(closing.mount().firstToken());
      String runs = closing.url() + HAPAX + "/api/flows/greet/runs";
      HttpRequest start = post(admin, runs, "{\"name\": \"Bob\"}");
      CLIENT.send(start, BodyHandlers.ofString());
      HttpRequest events =
          HttpRequest.newBuilder(URI.create(closing.url() + HAPAX + "/api/events"))
              .header("Authorization", "Bearer " + admin)
              .build();
      HttpResponse<InputStream> stream = CLIENT.send(events, BodyHandlers.ofInputStream());
      CompletableFuture<byte[]> rest =
          CompletableFuture.supplyAsync(
              () -> {
                try (var in = stream.body()) {
                  return in.readAllBytes();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });

      closing.mount().close();

      assertThat(rest.join()).isNotNull(); // the stream came to its end
      HttpResponse<String> refused = CLIENT.send(start, BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(Json.tree(refused.body()).path("type").asString()).endsWith("/unavailable");
      HttpRequest hello = HttpRequest.newBuilder(URI.create(closing.url() + "/shop/hello")).build();
      assertThat(CLIENT.send(hello, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  @Tag("server")
  void the_store_may_be_the_programs_own_database(@TempDir Path other) throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    DataSource database = connectionsTo(PostgresServer.shared().newDatabase());
    try (var onDatabase = new Shop(other, mount -> mount.store(database))) {
      String admin = Objects.requireNonNull(onDatabase.mount().firstToken());
      String runs = onDatabase.url() + HAPAX + "/api/flows/greet/runs";

      HttpResponse<String> run =
          CLIENT.send(post(admin, runs, "{\"name\": \"Eve\"}"), BodyHandlers.ofString());

      assertThat(run.statusCode()).as(run.body()).isEqualTo(201);
      assertThat(other.resolve("hapax.db")).doesNotExist();
    }
  }

  private static DataSource connectionsTo(String url) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, asked, _) ->
                asked.getName().equals("getConnection") ? DriverManager.getConnection(url) : null);
  }

  @Test
  void a_mount_has_to_know_where_it_is_reached(@TempDir Path other) {
    var settings = new SettingsReader().set(List.of("data=" + other)).read();

    assertThatThrownBy(() -> HapaxMount.at("/hapax", settings).open())
        .hasMessageContaining("http.url");
    assertThat(other).isEmptyDirectory();
  }

  @Test
  void the_page_shows_this_code() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
      root = Objects.requireNonNull(root.getParent());
    }
    String page = Files.readString(root.resolve("docs/start/hosting.md"));
    String code = Files.readString(root.resolve("app/src/test/java/dev/hapax/app/host/Shop.java"));

    for (String example : List.of("open", "map", "close")) {
      String marker = "// example: " + example + "\n";
      int begin = code.indexOf(marker) + marker.length();
      String shown = code.substring(begin, code.indexOf("// end", begin)).stripIndent().strip();
      assertThat(page).as(example).contains(shown);
    }
  }

  // ---- the client

  private record Reply(int status, String text, HttpResponse<String> raw) {
    JsonNode json() {
      return Json.tree(text);
    }

    @Nullable String header(String name) {
      return raw.headers().firstValue(name).orElse(null);
    }
  }

  private static Reply start(String flow, String id) throws Exception {
    return sendAs(
        token,
        "POST",
        HAPAX + "/api/flows/" + flow + "/runs",
        "{\"id\": \"" + id + "\"}",
        Map.of("Prefer", "wait=20"));
  }

  private static Reply send(String method, String path, @Nullable String body) throws Exception {
    return sendAs(token, method, path, body, Map.of());
  }

  private static Reply sendAs(
      @Nullable String who,
      String method,
      String path,
      @Nullable String body,
      Map<String, String> headers)
      throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(request(who, method, path, body, headers), BodyHandlers.ofString());
    return new Reply(answer.statusCode(), answer.body(), answer);
  }

  private static HttpRequest request(
      @Nullable String who,
      String method,
      String path,
      @Nullable String body,
      Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(URI.create(shop.url() + path))
            .setHeader("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::setHeader);
    if (who != null) {
      request.setHeader("Authorization", "Bearer " + who);
    }
    return request.build();
  }

  private static HttpRequest post(String who, String address, String body) {
    return HttpRequest.newBuilder(URI.create(address))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + who)
        .POST(BodyPublishers.ofString(body))
        .build();
  }
}
