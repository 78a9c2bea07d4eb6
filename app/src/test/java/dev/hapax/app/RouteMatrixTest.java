package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.attack.AttackTable;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every route of the server, with every role, without a token, and as another tenant. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class RouteMatrixTest {
  /** No other route answers without a token. A change that adds a line says why it is safe. */
  private static final Set<String> PUBLIC =
      Set.of(
          "GET /healthz",
          "GET /readyz",
          "GET /metrics",
          "GET /openapi.json",
          "GET /.well-known/oauth-protected-resource", // where agents get a token
          "GET /.well-known/oauth-protected-resource/mcp",
          "POST /hooks/{+path}", // the signature of the provider
          "POST /api/callbacks/{token}", // 256 bits that only the run handed out
          "GET /approvals/{link}", // shows a page, decides nothing
          "POST /approvals/{link}"); // the link's own token

  /** Only for admins of the operator's tenant. */
  private static final Set<String> OPERATORS =
      Set.of(
          "GET /api/tenants",
          "POST /api/tenants",
          "GET /api/tenants/{name}",
          "GET /api/tenants/{name}/quotas",
          "PUT /api/tenants/{name}/quotas",
          "GET /api/tenants/{name}/deletion",
          "POST /api/tenants/{name}/deletion",
          "POST /api/tenants/{name}/suspend",
          "POST /api/tenants/{name}/resume",
          "POST /api/tenants/{name}/tokens",
          "POST /api/rekey",
          "GET /api/token-keys",
          "POST /api/token-keys",
          "POST /api/backups",
          "GET /api/erasure-list",
          "GET /api/nodes",
          "GET /api/restore",
          "POST /api/restore");

  private static final String MARK = "acme-mark-5c1d";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static TestServer server;
  private static String acme;
  private static String rival;
  private static final Map<TokenScope, String> ROLES = new LinkedHashMap<>();
  private static final Map<String, String> OF_ACME = new TreeMap<>();

  @BeforeAll
  static void open() throws Exception {
    server = new TestServer(folder, "http.wrongTokensPerAddress=off");
    acme = tenant("acme");
    rival = tenant("rival");
    for (TokenScope scope : TokenScope.values()) {
      if (scope.isGranted()) {
        ROLES.put(scope, token(acme, scope));
      }
    }
    seed();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static String tenant(String name) throws Exception {
    String operator = server.token();
    assertThat(status(operator, "POST", "/api/tenants", "{\"name\":\"" + name + "\"}"))
        .isEqualTo(201);
    return json(operator, "POST", "/api/tenants/" + name + "/tokens", "{}")
        .path("token")
        .asString();
  }

  private static String token(String admin, TokenScope scope) throws Exception {
    String wish =
        "{\"name\":\"only %s\",\"scopes\":[\"%s\"]}".formatted(scope.word(), scope.word());
    return json(admin, "POST", "/api/tokens", wish).path("token").asString();
  }

  /** Something of acme behind every parameter of a path. */
  private static void seed() throws Exception {
    String flow =
        "flow: marked\nkey: ${input.id}\nsteps:\n  - id: ask\n    approval: {ask: \""
            + MARK
            + "?\"}\n";
    send(acme, "PUT", "/api/flows/marked/draft", flow, "application/yaml");
    json(acme, "POST", "/api/flows/marked/releases", "{}");
    json(acme, "PUT", "/api/flows/marked/live", "{\"release\":1}");
    String run =
        json(acme, "POST", "/api/flows/marked/runs", "{\"id\":\"" + MARK + "\"}")
            .path("id")
            .asString();
    json(acme, "PUT", "/api/kv/" + MARK, "{\"value\":\"" + MARK + "\"}");
    json(acme, "PUT", "/api/secrets/" + MARK, "{\"value\":\"" + MARK + "-secret\"}");
    json(
        acme,
        "PUT",
        "/api/connections/" + MARK,
        "{\"http\":{\"base\":\"https://" + MARK + ".example\"}}");
    OF_ACME.put("/api/runs/", run);
    OF_ACME.put("/api/flows/", "marked");
    OF_ACME.put("/api/kv/", MARK);
    OF_ACME.put("/api/secrets/", MARK);
    OF_ACME.put("/api/connections/", MARK);
    OF_ACME.put(
        "/api/tokens/", json(acme, "GET", "/api/tokens", null).at("/items/0/id").asString());
    OF_ACME.put("/api/approvals/", awaitApproval());
  }

  private static String awaitApproval() throws Exception {
    for (int i = 0; i < 200; i++) {
      JsonNode first = json(acme, "GET", "/api/approvals", null).at("/items/0/id");
      if (first.isString()) {
        return first.asString();
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the run asks for no approval");
  }

  private static List<Route> routes() {
    return server.routes();
  }

  /** The path with something of acme in the place of its first parameter. */
  private static String path(Route route) {
    String path = route.path();
    for (String name : route.parameters()) {
      int at = path.indexOf('{');
      String value = OF_ACME.getOrDefault(path.substring(0, at), "none-" + name);
      path =
          path.substring(0, at)
              + URLEncoder.encode(value, StandardCharsets.UTF_8)
              + path.substring(path.indexOf('}') + 1);
    }
    return path;
  }

  @Test
  void only_the_listed_routes_are_public() {
    var found = new TreeSet<String>();
    for (Route route : routes()) {
      if (route.scope() == TokenScope.PUBLIC) {
        found.add(route.toString());
      }
    }
    assertThat(PUBLIC).containsAll(found);
    assertThat(routes()).hasSizeGreaterThan(30);
  }

  /** A route is asked for by its method; one that is read also by HEAD. */
  private static List<String> methods(Route route) {
    return route.method() == Method.GET ? List.of("GET", "HEAD") : List.of(route.method().name());
  }

  @Test
  void nothing_else_answers_without_a_good_token() throws Exception {
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (Route route : routes()) {
      boolean isPublic = route.scope() == TokenScope.PUBLIC;
      for (String method : methods(route)) {
        for (String token : Arrays.asList(null, "hapax_admin", acme.substring(0, 60), acme + "a")) {
          attempts++;
          int status = status(token, method, path(route), body(route));
          if (isPublic == (status == 401) && !route.path().startsWith("/hooks")) {
            wrong.add(
                "%s %s as %s: %d"
                    .formatted(method, route, token == null ? "no token" : "a token", status));
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(RouteMatrixTest.class, "Every route without a good token", attempts);
  }

  @Test
  void a_role_calls_what_its_scope_allows_and_nothing_else() throws Exception {
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (Route route : routes()) {
      if (route.scope() == TokenScope.PUBLIC) {
        continue;
      }
      for (Map.Entry<TokenScope, String> role : ROLES.entrySet()) {
        boolean mayCall =
            route.scope().isAllowedBy(Set.of(role.getKey()))
                && !OPERATORS.contains(route.toString());
        if (mayCall && route.method() != Method.GET && role.getKey() == TokenScope.ADMIN) {
          continue; // would change what the others look at; its scope is the same question
        }
        for (String method : methods(route)) {
          attempts++;
          int status = status(role.getValue(), method, harmless(route), body(route));
          if (status == 401 || mayCall == (status == 403) || status >= 500) {
            wrong.add("%s %s with %s: %d".formatted(method, route, role.getKey().word(), status));
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(RouteMatrixTest.class, "Every route with every scope", attempts);
  }

  /** A page of another site makes the browser send the cookie, but has no proof. */
  @Test
  void a_session_without_its_proof_reads_and_changes_nothing() throws Exception {
    String cookie = session(acme);
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (Route route : routes()) {
      if (route.scope() == TokenScope.PUBLIC) {
        continue;
      }
      for (String method : methods(route)) {
        attempts++;
        boolean reads = route.method() == Method.GET && !OPERATORS.contains(route.toString());
        int status = statusWith(cookie, method, path(route), body(route));
        if (status == 401 || status >= 500 || reads == (status == 403)) {
          wrong.add("%s %s: %d".formatted(method, route, status));
        }
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(RouteMatrixTest.class, "Every route with a session and no proof", attempts);
  }

  private static String session(String token) throws Exception {
    HttpResponse<InputStream> begun = send(token, "POST", "/api/session", null, "text/plain");
    begun.body().close();
    String kept = begun.headers().firstValue("Set-Cookie").orElseThrow();
    return kept.substring(0, kept.indexOf(';'));
  }

  private static int statusWith(String cookie, String method, String path, @Nullable String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", "application/json")
            .header("Cookie", cookie)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
    answer.body().close(); // a stream would go on
    return answer.statusCode();
  }

  /** With names that do not exist, so that a call that is allowed changes nothing of acme's. */
  private static String harmless(Route route) {
    return route.path().replaceAll("\\{\\+?([a-zA-Z]+)}", "none-$1");
  }

  @Test
  void another_tenant_sees_and_touches_nothing_of_acmes() throws Exception {
    Map<String, String> before = everythingThatAcmeSees();
    assertThat(String.join("", before.values())).contains(MARK);
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (Route route : routes()) {
      for (String other : List.of(rival, server.token())) {
        if (route.scope() == TokenScope.PUBLIC || isStream(route)) {
          continue;
        }
        attempts++;
        HttpResponse<InputStream> answer =
            send(other, route.method().name(), path(route), body(route), "application/json");
        String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        if (text.replace(path(route), "").contains(MARK + "-") || seesMark(route, answer, text)) {
          wrong.add("%s: %d %s".formatted(route, answer.statusCode(), text));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(everythingThatAcmeSees()).isEqualTo(before);
    AttackTable.held(RouteMatrixTest.class, "Every route as another tenant", attempts);
  }

  /** A refusal may repeat what it was asked for; an answer may not know it. */
  private static boolean seesMark(Route route, HttpResponse<InputStream> answer, String text) {
    boolean isOwn = // it made one of this name of its own, or removed that again
        route.method() == Method.PUT || route.method() == Method.DELETE;
    return answer.statusCode() < 300 && !isOwn && text.contains(MARK);
  }

  private static Map<String, String> everythingThatAcmeSees() throws Exception {
    var seen = new LinkedHashMap<String, String>();
    for (Route route : routes()) {
      boolean changes = // with each call, or with the time
          List.of("/api/tokens", "/api/overview").contains(route.path())
              || route.path().startsWith("/api/audit");
      if (route.method() == Method.GET
          && route.scope() != TokenScope.PUBLIC
          && !isStream(route)
          && !changes) {
        seen.put(path(route), text(acme, path(route)));
      }
    }
    return seen;
  }

  private static boolean isStream(Route route) {
    return route.path().equals("/api/events");
  }

  // ---- the client

  private static @Nullable String body(Route route) {
    return switch (route.method()) {
      case GET, DELETE -> null;
      case PUT, POST -> "{}";
    };
  }

  private static int status(
      @Nullable String token, String method, String path, @Nullable String body) throws Exception {
    HttpResponse<InputStream> answer = send(token, method, path, body, "application/json");
    answer.body().close(); // a stream would go on
    return answer.statusCode();
  }

  private static String text(String token, String path) throws Exception {
    try (InputStream body = send(token, "GET", path, null, "application/json").body()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static JsonNode json(String token, String method, String path, @Nullable String body)
      throws Exception {
    HttpResponse<InputStream> answer = send(token, method, path, body, "application/json");
    String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(answer.statusCode()).as(method + " " + path + ": " + text).isLessThan(300);
    return Json.tree(text.isEmpty() ? "null" : text);
  }

  private static HttpResponse<InputStream> send(
      @Nullable String token, String method, String path, @Nullable String body, String type)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", type)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofInputStream());
  }
}
