package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.hapax.app.config.Settings;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.oidc.IssuerTokens;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.net.ServerSocket;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tokens of a real issuer: the package {@code oidc-provider} of npm, on this machine. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OidcIssuerTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;

  /** An issuer with these keys. */
  private final class Issuer implements AutoCloseable {
    private final int port;
    private final Process process;

    Issuer(int port, RSAKey... keys) throws Exception {
      this.port = port;
      Path file = folder.resolve("keys.json");
      Files.writeString(file, new JWKSet(List.of(keys)).toString(false));
      this.process = PublicTools.start("issuer.js", "" + port, file.toString());
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + port);
    }

    String token(String audience, String scope) throws Exception {
      String secret =
          Base64.getEncoder()
              .encodeToString(
                  ("machine:" + encoded("a secret of the test")).getBytes(StandardCharsets.UTF_8));
      var request =
          HttpRequest.newBuilder(URI.create(address() + "/token"))
              .header("Authorization", "Basic " + secret)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(
                  BodyPublishers.ofString(
                      "grant_type=client_credentials&resource=%s&scope=%s"
                          .formatted(encoded(audience), encoded(scope))))
              .build();
      String body = CLIENT.send(request, BodyHandlers.ofString()).body();
      return Json.tree(body).path("access_token").asString();
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      leave();
    }

    void leave() {
      process.destroy();
      process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
  }

  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static RSAKey key(String id) throws Exception {
    return new RSAKeyGenerator(2048)
        .keyID(id)
        .keyUse(KeyUse.SIGNATURE)
        .algorithm(JWSAlgorithm.RS256)
        .generate();
  }

  private static int status(TestServer server, String token, String path) {
    return server
        .send(server.request(path).GET().setHeader("Authorization", "Bearer " + token))
        .status();
  }

  @Test
  void callers_of_the_issuer_do_what_their_claims_allow_beside_those_with_our_own_tokens()
      throws Exception {
    try (var issuer = new Issuer(freePort(), key("one"));
        var server =
            new TestServer(
                folder.resolve("data"),
                "oidc.issuer=" + issuer.address(),
                "oidc.audience=urn:hapax",
                "oidc.tenantClaim=tenant",
                "oidc.rolesClaim=realm.roles",
                "oidc.grants=ops=flows:read")) {
      String token = issuer.token("urn:hapax", "runs:read admin");
      assertThat(status(server, token, "/api/runs")).as("before its tenant exists").isEqualTo(401);
      assertThat(server.post("/api/tenants", "{\"name\":\"acme\"}").status()).isEqualTo(201);

      assertThat(status(server, token, "/api/runs")).isEqualTo(200);
      assertThat(status(server, token, "/api/flows")).as("by the grant of a role").isEqualTo(200);
      assertThat(status(server, token, "/api/kv")).isEqualTo(403);
      assertThat(status(server, token, "/api/tokens")).as("no word makes an admin").isEqualTo(403);
      assertThat(status(server, issuer.token("urn:other", "runs:read"), "/api/runs"))
          .isEqualTo(401);
      assertThat(server.get("/api/runs").status()).isEqualTo(200);

      issuer.leave();
      assertThat(status(server, token, "/api/runs")).as("its keys are known").isEqualTo(200);
      assertThat(server.get("/api/runs").status()).isEqualTo(200);
    }
  }

  @Test
  void a_person_who_signs_in_decides_by_name_and_only_the_access_token_counts() throws Exception {
    try (var issuer = new Issuer(freePort(), key("one"));
        var ann = new SignIn(issuer.address());
        var server =
            new TestServer(
                folder.resolve("data"),
                "oidc.issuer=" + issuer.address(),
                "oidc.audience=urn:hapax",
                "oidc.tenant=default",
                "oidc.rolesClaim=realm.roles")) {
      JsonNode given = ann.tokens("ann", "urn:hapax", "approvals:read approvals:decide");
      String token = given.path("access_token").asString();
      String run = server.post("/api/flows/ask/runs", "{\"id\": \"A-1\"}").at("/id");
      String approval = "[]";
      while (approval.equals("[]")) {
        approval = server.get("/api/approvals").at("/items");
      }
      String path = "/api/approvals/" + Json.tree(approval).at("/0/id").asString();

      assertThat(status(server, given.path("id_token").asString(), path))
          .as("a token for the person's own program")
          .isEqualTo(401);
      assertThat(status(server, token, "/api/runs"))
          .as("a scope that was not asked")
          .isEqualTo(403);
      assertThat(status(server, token, path)).isEqualTo(200);
      TestServer.Reply decided =
          server.send(
              server
                  .request(path)
                  .setHeader("Authorization", "Bearer " + token)
                  .POST(BodyPublishers.ofString("{\"decision\": \"approve\"}")));
      assertThat(decided.status()).as(decided.raw().body()).isEqualTo(200);
      assertThat(server.get(path).at("/decision/by")).contains("ann");
      assertThat(server.get("/api/audit?limit=50").raw().body()).contains("oidc:ann");
      assertThat(server.get("/api/runs/" + run).status()).isEqualTo(200);
    }
  }

  @Test
  void an_issuer_that_is_away_stops_only_its_own_tokens() throws Exception {
    String token;
    int port = freePort();
    try (var issuer = new Issuer(port, key("one"))) {
      token = issuer.token("urn:hapax", "runs:read");
    }
    try (var server =
        new TestServer(
            folder.resolve("data"),
            "oidc.issuer=http://127.0.0.1:" + port,
            "oidc.audience=urn:hapax",
            "oidc.tenant=default")) {
      assertThat(status(server, token, "/api/runs")).isEqualTo(503);
      assertThat(server.get("/api/runs").status()).isEqualTo(200);
    }
  }

  private static TestServer withLogin(Path data, URI issuer) throws Exception {
    return new TestServer(
        data,
        "oidc.issuer=" + issuer,
        "oidc.audience=urn:hapax",
        "oidc.tenant=default",
        "oidc.clientId=hapax",
        "oidc.clientSecret=a secret of the login",
        "oidc.loginScopes=openid runs:read",
        "oidc.loginParameters=resource=urn:hapax");
  }

  private static HttpResponse<String> asked(URI at, String cookie) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(at).header("Cookie", cookie).GET().build(), BodyHandlers.ofString());
  }

  private static String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    return answer.headers().firstValue("Location").orElseThrow();
  }

  /** The cookie with this beginning, as a browser sends it back. */
  private static String cookie(HttpResponse<String> answer, String beginning) {
    String kept =
        answer.headers().allValues("Set-Cookie").stream()
            .filter(one -> one.startsWith(beginning))
            .findFirst()
            .orElseThrow();
    return kept.substring(0, kept.indexOf(';'));
  }

  @Test
  void a_person_logs_in_at_the_issuer_once_and_only_in_the_browser_that_began() throws Exception {
    try (var issuer = new Issuer(freePort(), key("one"));
        var ann = new SignIn(issuer.address());
        var server = withLogin(folder.resolve("data"), issuer.address())) {
      HttpResponse<String> left =
          asked(URI.create(server.address() + "/login/oidc?to=/runs%3Fflow%3Da"), "a=b");
      assertThat(left.headers().firstValue("Set-Cookie").orElseThrow())
          .startsWith("hapax-login-")
          .contains("; HttpOnly", "; SameSite=Lax", "; Path=/login/");
      String pending = cookie(left, "hapax-login-");
      URI back = ann.ledBack("ann", URI.create(location(left)), server.address() + "/login/");

      assertThat(location(asked(back, "a=b"))).as("another browser").isEqualTo("/?login=expired");
      URI forged = URI.create(back.toString().replaceFirst("state=[^&]*", "state=other"));
      assertThat(location(asked(forged, pending))).isEqualTo("/runs?flow=a&login=expired");

      HttpResponse<String> come = asked(back, pending);
      assertThat(location(come)).isEqualTo("/runs?flow=a");
      assertThat(come.headers().allValues("Set-Cookie"))
          .anyMatch(one -> one.startsWith("hapax-session-") && one.contains("SameSite=Strict"))
          .anyMatch(one -> one.startsWith("hapax-login-") && one.contains("Max-Age=0"));
      String session = cookie(come, "hapax-session-");
      HttpResponse<String> me = asked(URI.create(server.address() + "/api/session"), session);
      assertThat(Json.tree(me.body()).path("name").asString()).isEqualTo("ann");
      assertThat(asked(URI.create(server.address() + "/api/runs"), session).statusCode())
          .isEqualTo(200);
      assertThat(server.get("/api/audit?limit=50").raw().body()).contains("/login/oidc/callback");

      assertThat(location(asked(back, pending)))
          .as("a code is good once")
          .isEqualTo("/runs?flow=a&login=refused");
    }
  }

  @Test
  void a_login_leads_to_no_other_host_and_says_why_it_failed() throws Exception {
    int port = freePort();
    URI address = URI.create("http://127.0.0.1:" + port);
    try (var server = withLogin(folder.resolve("data"), address)) {
      for (String to :
          List.of("//evil.example", "https://evil.example", "/%5Cevil.example", "/%0D%0Aa", "x")) {
        assertThat(location(asked(URI.create(server.address() + "/login/oidc?to=" + to), "a=b")))
            .as(to)
            .isEqualTo("/?login=away");
      }
    }
    try (var issuer = new Issuer(port, key("one"));
        var server = withLogin(folder.resolve("other"), issuer.address())) {
      HttpResponse<String> left = asked(URI.create(server.address() + "/login/oidc"), "a=b");
      Matcher state = Pattern.compile("[?&]state=([^&]+)").matcher(location(left));
      assertThat(state.find()).isTrue();
      String refused =
          "/login/oidc/callback?error=access_denied&state=%s".formatted(state.group(1));

      assertThat(
              location(asked(URI.create(server.address() + refused), cookie(left, "hapax-login-"))))
          .isEqualTo("/?login=refused");
      assertThat(server.get("/runs").status()).as("no page for programs").isEqualTo(404);
    }
  }

  /** A clock that a test moves. */
  private static final class Moved implements Clock {
    private volatile Duration by = Duration.ZERO;

    @Override
    public Instant now() {
      return Instant.now().plus(by);
    }

    @Override
    public long nanos() {
      return System.nanoTime() + by.toNanos();
    }
  }

  @Test
  void keys_that_the_issuer_replaces_are_noticed_and_tokens_end_with_their_time() throws Exception {
    int port = freePort();
    var clock = new Moved();
    Ports system = Ports.system();
    IssuerTokens tokens =
        IssuerTokens.of(
            new Settings.Oidc(
                URI.create("http://127.0.0.1:" + port),
                Set.of("urn:hapax"),
                Duration.ofMinutes(1),
                Set.of("RS256"),
                "acme",
                null,
                "sub",
                "realm.roles",
                "scope",
                Map.of(),
                null,
                null),
            null,
            _ -> true,
            new Ports(clock, system.random(), system.threads()));
    String first;
    try (var issuer = new Issuer(port, key("one"))) {
      first = issuer.token("urn:hapax", "runs:read runs:write");
      assertThat(tokens.actor(first))
          .isEqualTo(
              new Actor(
                  "oidc:machine",
                  "machine",
                  "acme",
                  Set.of(TokenScope.RUNS_READ, TokenScope.RUNS_WRITE),
                  Set.of("finance", "ops")));
    }
    try (var issuer = new Issuer(port, key("two"))) {
      String second = issuer.token("urn:hapax", "runs:read");
      assertThat(tokens.actor(second)).as("asked a moment ago").isNull();
      clock.by = Duration.ofSeconds(31);
      assertThat(tokens.actor(second)).isNotNull();
      assertThat(tokens.actor(first)).as("the issuer dropped its key").isNull();
      clock.by = Duration.ofMinutes(10).plusSeconds(50);
      assertThat(tokens.actor(second)).as("within the skew").isNotNull();
      clock.by = Duration.ofMinutes(12);
      assertThat(tokens.actor(second)).as("its time is over").isNull();
    }
    clock.by = Duration.ofDays(2);
    assertThatThrownBy(() -> tokens.actor(first)).isInstanceOf(Problem.class);
  }
}
