package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks before every route, over a real socket. */
class ServerTest {
  private record Note(String text, @Nullable Integer stars) {}

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Actor READER =
      new Actor("ann", "acme", Set.of(TokenScope.RUNS_READ), Set.of());
  private static final Actor ADMIN = new Actor("root", "acme", Set.of(TokenScope.ADMIN), Set.of());
  private static final Tenants NO_TENANTS =
      tenant -> {
        throw new AssertionError(tenant);
      };
  private static Server server;

  @BeforeAll
  static void start() {
    List<Route> routes =
        List.of(
            Route.get(
                "/healthz", TokenScope.PUBLIC, "lives", _ -> RouteAnswer.ok(Map.of("ok", true))),
            Route.get(
                "/api/who",
                TokenScope.RUNS_READ,
                "who",
                call -> RouteAnswer.ok(call.actor().name())),
            Route.post("/api/notes", TokenScope.RUNS_WRITE, "a note", ServerTest::note),
            Route.post("/api/any", TokenScope.PUBLIC, "any", call -> RouteAnswer.ok(call.json())),
            Route.post(
                    "/api/raw",
                    TokenScope.PUBLIC,
                    "raw",
                    call -> RouteAnswer.ok(call.body().length))
                .largestBody(10),
            Route.get(
                "/api/kv/{+key}",
                TokenScope.PUBLIC,
                "kv",
                call -> RouteAnswer.ok(call.path("key"))),
            Route.get(
                "/api/one/{key}",
                TokenScope.PUBLIC,
                "one",
                call -> RouteAnswer.ok(call.path("key"))),
            Route.get(
                "/api/cookie",
                TokenScope.PUBLIC,
                "cookie",
                call -> RouteAnswer.ok(String.valueOf(call.header("Cookie")))),
            Route.get("/api/page", TokenScope.PUBLIC, "page", call -> RouteAnswer.ok(call.limit())),
            Route.get(
                "/api/bug",
                TokenScope.PUBLIC,
                "bug",
                _ -> {
                  throw new IllegalStateException("password 'hunter2'");
                }));
    Authenticator access = token -> Map.of("reader", READER, "admin", ADMIN).get(token);
    server =
        Server.start(
            new Routes(routes, access, NO_TENANTS, () -> false),
            Server.Place.at("127.0.0.1", 0).hosts(HostRule.of("127.0.0.1", List.of())));
  }

  private static RouteAnswer note(Call call) {
    Note note = call.json(Note.class);
    return RouteAnswer.created(note, "/api/notes/1")
        .header("X-Stars", String.valueOf(note.stars()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void a_public_route_answers_without_a_token() throws Exception {
    HttpResponse<String> answer = get("/healthz", null);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.headers().firstValue("Server")).isEmpty();
    assertThat(answer.body()).isEqualTo("{\"ok\":true}");
  }

  @Test
  void every_other_route_wants_a_token_that_allows_it() throws Exception {
    assertProblem(get("/api/who", null), 401, "unauthorized");
    assertThat(get("/api/who", null).headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertProblem(get("/api/who", "guessed"), 401, "unauthorized");
    assertThat(get("/api/who", "reader").body()).isEqualTo("\"ann\"");
    assertThat(get("/api/who", "admin").body()).isEqualTo("\"root\"");
    assertProblem(post("/api/notes", "reader", "{\"text\": \"x\"}"), 403, "forbidden");
    HttpResponse<String> made = post("/api/notes", "admin", "{\"text\": \"x\"}");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(made.headers().firstValue("Location")).contains("/api/notes/1");
    assertThat(made.headers().firstValue("X-Stars")).contains("null");
  }

  @Test
  void what_no_route_answers_is_a_problem_too() throws Exception {
    assertProblem(get("/api/nothing", "admin"), 404, "not-found");
    HttpResponse<String> other = post("/healthz", null, "{}");
    assertProblem(other, 405, "method-not-allowed");
    assertThat(other.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void a_header_does_not_replace_the_method() throws Exception {
    for (String header : List.of("X-HTTP-Method-Override", "x-http-method-override")) {
      var get = request("/api/notes", "admin").header(header, "POST");
      assertProblem(send(get), 405, "method-not-allowed");
      var who = request("/api/who", "reader").header(header, "DELETE");
      assertThat(send(who).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void head_needs_what_get_needs_and_has_its_headers() throws Exception {
    assertThat(head("/api/who", null).statusCode()).isEqualTo(401);
    assertThat(head("/api/who", "guessed").statusCode()).isEqualTo(401);
    HttpResponse<String> answer = head("/api/who", "reader");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("Content-Length")).contains("5");
    assertThat(head("/api/page?limit=x", null).statusCode()).isEqualTo(400);
    assertThat(head("/api/notes", "admin").statusCode()).isEqualTo(405);
  }

  private static HttpResponse<String> head(String path, @Nullable String token) throws Exception {
    return send(request(path, token).method("HEAD", BodyPublishers.noBody()));
  }

  @Test
  void a_method_that_http_does_not_know_reaches_nothing() throws Exception {
    for (String method : List.of("BEFORE", "AFTER", "get", "Post", "HACK")) {
      assertThat(raw(method + " /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 501 ")
          .contains("/problems/method-not-allowed");
    }
  }

  @Test
  void a_request_for_another_host_is_refused() throws Exception {
    assertThat(raw("GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .contains("/problems/forbidden");
  }

  @Test
  void what_is_no_http_is_a_problem_too() throws Exception {
    assertThat(raw("NONSENSE\r\n\r\n")).startsWith("HTTP/1.1 400 ").contains("/problems/");
    assertThat(
            raw(
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: "
                    + "x".repeat(20_000)
                    + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ")
        .contains("/problems/");
  }

  @Test
  void a_header_keeps_its_letters_whatever_came_before_on_its_connection() throws Exception {
    var requests = new StringBuilder();
    for (String cookie : List.of("s=x", "s=Xyz", "s=xYZ", "s=xyz")) {
      requests.append(
          "GET /api/cookie HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n%s\r\n"
              .formatted(cookie, cookie.equals("s=xyz") ? "Connection: close\r\n" : ""));
    }

    assertThat(raw(requests.toString()))
        .containsSubsequence("\"s=x\"", "\"s=Xyz\"", "\"s=xYZ\"", "\"s=xyz\"");
  }

  private static String raw(String text) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void an_error_of_the_server_is_only_in_the_log() throws Exception {
    HttpResponse<String> answer = get("/api/bug", null);

    assertProblem(answer, 500, "internal");
    assertThat(answer.body()).doesNotContain("hunter2", "at dev.", "Exception");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": 1, \"a\": 2}|duplicate",
        "{\"a\": \"\\u0000\"}|NUL",
        "{\"a\": \"\\ud800\"}|lone surrogate",
        "{\"\\udc00\": 1}|surrogate",
        "{\"a\": 1|JSON",
        "{\"a\": 1} {}|JSON",
        "{\"a\": 1e99999999999}|number",
        "{\"a\": [1e1001]}|1,000 digits",
        "{\"a\": -1e-999999999}|1,000 digits",
        "nonsense|JSON",
        "``|nothing",
      })
  void bad_json_is_refused_with_the_reason(String body, String reason) throws Exception {
    HttpResponse<String> answer = post("/api/any", null, body == null ? "" : body);

    assertProblem(answer, 400, "invalid-input");
    assertThat(answer.body()).containsIgnoringCase(reason);
  }

  @Test
  void json_may_be_deep_but_not_too_deep() throws Exception {
    assertThat(post("/api/any", null, "[".repeat(99) + "]".repeat(99)).statusCode()).isEqualTo(200);
    assertProblem(post("/api/any", null, "[".repeat(101) + "]".repeat(101)), 400, "invalid-input");
    assertProblem(post("/api/any", null, "[".repeat(100_000)), 400, "invalid-input");
  }

  @Test
  void bytes_that_are_no_utf_8_are_refused() throws Exception {
    byte[] latin = "{\"a\": \"ü\"}".getBytes(StandardCharsets.ISO_8859_1);

    assertProblem(
        send(request("/api/any", null).POST(BodyPublishers.ofByteArray(latin))),
        400,
        "invalid-input");
  }

  @Test
  void numbers_stay_as_they_are() throws Exception {
    String numbers = "[40.00,12345678901234567890,0.1]";

    assertThat(post("/api/any", null, numbers).body()).isEqualTo(numbers);
  }

  @Test
  void unknown_members_are_refused() throws Exception {
    HttpResponse<String> answer = post("/api/notes", "admin", "{\"txt\": \"x\"}");

    assertProblem(answer, 400, "invalid-input");
    assertThat(answer.body()).contains("'txt' is unknown");
    assertProblem(post("/api/notes", "admin", "[]"), 400, "invalid-input");
    assertProblem(post("/api/notes", "admin", "{\"text\": {}}"), 400, "invalid-input");
  }

  @Test
  void another_content_type_is_refused() throws Exception {
    var form =
        request("/api/any", null)
            .setHeader("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("a=1"));

    assertProblem(send(form), 415, "unsupported-media-type");
  }

  @Test
  void a_body_that_is_too_large_is_refused_with_any_stated_length() throws Exception {
    assertThat(post("/api/raw", null, "0123456789").body()).isEqualTo("10");
    assertProblem(post("/api/raw", null, "01234567890"), 413, "too-large");
    var chunked =
        request("/api/raw", null)
            .POST(
                BodyPublishers.fromPublisher(
                    BodyPublishers.ofByteArrays(List.of(new byte[8], new byte[8]))));
    assertProblem(send(chunked), 413, "too-large");
  }

  @Test
  void a_caller_that_still_sends_a_body_that_is_too_large_gets_the_answer() throws Exception {
    String large = "x".repeat(4 << 20);

    for (int i = 0; i < 10; i++) {
      assertProblem(post("/api/raw", null, large), 413, "too-large");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/kv/plain, plain",
    "/api/kv/a/b, a/b",
    "/api/kv/a%2Fb, a/b",
    "/api/one/a%2Fb, a/b",
    "/api/one/a+b, a+b",
    "/api/one/a%20b, a b",
    "/api/one/a%25b, a%b",
    "/api/one/%C3%BC, ü",
  })
  void a_key_in_a_path_is_what_was_sent(String path, String key) throws Exception {
    assertThat(get(path, null).body()).isEqualTo("\"" + key + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/one/a%00b",
    "/api/one/%FF",
    "/api/page?limit=0",
    "/api/page?limit=201",
    "/api/page?limit=x",
    "/api/page?limit=1&limit=2"
  })
  void a_bad_parameter_is_refused(String path) throws Exception {
    assertProblem(get(path, null), 400, "invalid-input");
  }

  @Test
  void a_route_without_a_scope_cannot_be_made() {
    assertThatThrownBy(() -> Route.get("/api/x", nothing(), "x", _ -> RouteAnswer.noContent()))
        .hasMessageContaining("no scope");
    Route one = Route.get("/api/{a}", TokenScope.ADMIN, "x", _ -> RouteAnswer.noContent());
    Route twin = Route.get("/api/{b}", TokenScope.ADMIN, "x", _ -> RouteAnswer.noContent());
    assertThatThrownBy(() -> new Routes(List.of(one, twin), _ -> null, NO_TENANTS, () -> false))
        .hasMessageContaining("twice");
  }

  @SuppressWarnings("NullAway") // what the type system refuses, the constructor refuses too
  private static TokenScope nothing() {
    return null;
  }

  private static HttpResponse<String> get(String path, @Nullable String token) throws Exception {
    return send(request(path, token));
  }

  private static HttpResponse<String> post(String path, @Nullable String token, String body)
      throws Exception {
    return send(request(path, token).POST(BodyPublishers.ofString(body)));
  }

  private static HttpRequest.Builder request(String path, @Nullable String token) {
    var request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .setHeader("Content-Type", "application/json");
    return token == null ? request : request.setHeader("Authorization", "Bearer " + token);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String name) {
    assertThat(answer.body()).contains("\"type\":\"https://hapax.dev/problems/" + name + "\"");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }
}
