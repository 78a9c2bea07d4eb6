package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser logs in with a token, and then has a session in a cookie that no script can read. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class BrowserSessionTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    server = new TestServer(folder);
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** A session: its cookie as a browser sends it, and the proof of its writes. */
  private record Session(String cookie, String csrf) {}

  private static Session logIn(String token) {
    Reply begun =
        server.send(asked("/api/session", "Authorization", "Bearer " + token).POST(none()));
    assertThat(begun.status()).as(begun.raw().body()).isEqualTo(201);
    String kept = Objects.requireNonNull(begun.header("Set-Cookie"));
    return new Session(kept.substring(0, kept.indexOf(';')), begun.at("/csrf"));
  }

  private static HttpRequest.BodyPublisher none() {
    return BodyPublishers.noBody();
  }

  private static HttpRequest.Builder asked(String path, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .setHeader("Content-Type", "application/json");
    return headers.length == 0 ? request : request.headers(headers);
  }

  private static Reply made(String... scopes) {
    Reply made =
        server.post("/api/tokens", Json.write(Map.of("name", "person", "scopes", List.of(scopes))));
    assertThat(made.status()).as(made.raw().body()).isEqualTo(201);
    return made;
  }

  @Test
  void the_cookie_hides_the_token_and_is_for_this_server_only() {
    String token = made("runs:read").at("/token");

    Reply begun =
        server.send(asked("/api/session", "Authorization", "Bearer " + token).POST(none()));

    assertThat(begun.header("Set-Cookie"))
        .contains("; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=43200")
        .doesNotContain(token, token.substring(20));
    assertThat(begun.at("/name")).isEqualTo("person");
    assertThat(begun.body().path("scopes").toString()).isEqualTo("[\"runs:read\"]");
    assertThat(begun.raw().body()).doesNotContain(token.substring(20));
  }

  @Test
  void a_session_may_what_its_token_may() {
    Session session = logIn(made("runs:read", "kv:write").at("/token"));

    Reply runs = server.send(asked("/api/runs", "Cookie", session.cookie()).GET());
    assertThat(runs.status()).as(runs.raw().body()).isEqualTo(200);
    assertThat(server.send(asked("/api/effects", "Cookie", session.cookie()).GET()).status())
        .isEqualTo(403);
    Reply me = server.send(asked("/api/session", "Cookie", session.cookie()).GET());
    assertThat(me.at("/csrf")).isEqualTo(session.csrf());
  }

  @Test
  void a_change_needs_the_proof_of_its_own_session() {
    Session session = logIn(made("kv:write").at("/token"));
    Session other = logIn(made("kv:write").at("/token"));
    String path = "/api/kv/mine";
    var value = BodyPublishers.ofString("{\"value\": 1}");

    assertThat(server.send(asked(path, "Cookie", session.cookie()).PUT(value)).status())
        .isEqualTo(403);
    assertThat(
            server
                .send(
                    asked(path, "Cookie", session.cookie(), "X-Hapax-CSRF", other.csrf())
                        .PUT(value))
                .status())
        .isEqualTo(403);
    assertThat(
            server
                .send(
                    asked(path, "Cookie", session.cookie(), "X-Hapax-CSRF", session.csrf())
                        .PUT(value))
                .status())
        .isEqualTo(200);
  }

  @Test
  void pages_of_others_get_nothing() {
    Session session = logIn(made("runs:read", "kv:write").at("/token"));
    var value = BodyPublishers.ofString("{\"value\": 1}");
    String[] good = {"Cookie", session.cookie(), "X-Hapax-CSRF", session.csrf()};

    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "")) {
      Reply refused = server.send(asked("/api/kv/other", good).header("Origin", origin).PUT(value));
      assertThat(refused.status()).as(origin).isEqualTo(403);
    }
    for (String site : List.of("cross-site", "same-site")) {
      HttpRequest.Builder read = asked("/api/runs", good).header("Sec-Fetch-Site", site);
      assertThat(server.send(read.GET()).status()).as(site).isEqualTo(403);
    }
    assertThat(
            server
                .send(
                    asked("/api/kv/other", good)
                        .header("Origin", server.address().toString())
                        .PUT(value))
                .status())
        .isEqualTo(200);
  }

  @Test
  void a_revoked_token_ends_its_sessions() {
    Reply token = made("runs:read");
    Session session = logIn(token.at("/token"));

    assertThat(server.delete("/api/tokens/" + token.at("/id")).status()).isEqualTo(200);

    Reply refused = server.send(asked("/api/runs", "Cookie", session.cookie()).GET());
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header("Set-Cookie")).contains("Max-Age=0");
  }

  @Test
  void logging_out_with_a_revoked_token_makes_the_browser_forget_and_a_wrong_token_does_not() {
    Reply token = made("runs:read");
    Session session = logIn(token.at("/token"));
    String[] good = {"Cookie", session.cookie(), "X-Hapax-CSRF", session.csrf()};

    Reply wrong =
        server.send(asked("/api/session", good).header("Authorization", "Bearer hapax_x").DELETE());
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.header("Set-Cookie")).as("the session of the cookie goes on").isNull();

    server.delete("/api/tokens/" + token.at("/id"));
    Reply over = server.send(asked("/api/session", good).DELETE());
    assertThat(over.status()).isEqualTo(401);
    assertThat(over.at("/detail")).contains("revoked");
    assertThat(over.header("Set-Cookie")).contains("Max-Age=0");
    assertThat(server.send(asked("/api/session").DELETE()).status()).isEqualTo(401);
  }

  @Test
  void a_changed_or_invented_cookie_is_no_session() {
    Session session = logIn(made("runs:read").at("/token"));
    String name = session.cookie().substring(0, session.cookie().indexOf('=') + 1);
    String value = session.cookie().substring(name.length());
    String other = (value.charAt(20) == 'A' ? "B" : "A") + value.substring(21);

    for (String cookie :
        List.of(name, name + "x", name + "%%%", name + value.substring(0, 20) + other)) {
      Reply refused = server.send(asked("/api/runs", "Cookie", cookie).GET());
      assertThat(refused.status()).as(cookie).isEqualTo(401);
      assertThat(refused.header("Set-Cookie")).contains("Max-Age=0");
    }
    assertThat(server.send(asked("/api/runs", "Cookie", "hapax-session-0=" + value).GET()).status())
        .isEqualTo(401);
  }

  @Test
  void a_session_begins_no_session_and_a_wrong_header_is_not_saved_by_a_cookie() {
    Session session = logIn(made("runs:read").at("/token"));
    String[] good = {"Cookie", session.cookie(), "X-Hapax-CSRF", session.csrf()};

    assertThat(server.send(asked("/api/session", good).POST(none())).status()).isEqualTo(401);
    assertThat(
            server
                .send(asked("/api/runs", good).header("Authorization", "Bearer hapax_x").GET())
                .status())
        .isEqualTo(401);
  }

  @Test
  void no_answer_with_data_is_kept_by_a_browser_or_proxy() {
    assertThat(server.get("/api/runs").header("Cache-Control")).isEqualTo("no-store");
    assertThat(server.get("/api/runs/none").header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void the_header_of_a_proxy_does_not_hide_the_session() {
    Session session = logIn(made("runs:read").at("/token"));
    String[] both = {"Cookie", session.cookie(), "Authorization", "Basic cHJveHk6cHJveHk="};

    assertThat(server.send(asked("/api/runs", both).GET()).status()).isEqualTo(200);
    assertThat(server.send(asked("/api/session", both).GET()).at("/csrf"))
        .isEqualTo(session.csrf());
    assertThat(
            server
                .send(
                    asked("/api/session", both).header("X-Hapax-CSRF", session.csrf()).POST(none()))
                .status())
        .isEqualTo(401);
  }

  @Test
  void another_host_of_the_domain_cannot_plant_a_session(@TempDir Path other) throws Exception {
    try (var encrypted = new TestServer(other, "http.url=https://hapax.example")) {
      Reply begun = encrypted.post("/api/session", "");

      assertThat(begun.header("Set-Cookie"))
          .startsWith("__Host-hapax-session-")
          .contains("; Path=/;", "; Secure")
          .doesNotContain("Domain");
      String kept = Objects.requireNonNull(begun.header("Set-Cookie"));
      String cookie = kept.substring(0, kept.indexOf(';'));
      String runs = encrypted.address() + "/api/runs";
      var read = HttpRequest.newBuilder(URI.create(runs));
      assertThat(encrypted.send(read.copy().header("Cookie", cookie).GET()).status())
          .isEqualTo(200);
      String planted = cookie.substring("__Host-".length());
      assertThat(encrypted.send(read.header("Cookie", planted).GET()).status()).isEqualTo(401);
    }
  }

  @Test
  void logging_out_makes_the_browser_forget() {
    Session session = logIn(made("runs:read").at("/token"));

    Reply over =
        server.send(
            asked("/api/session", "Cookie", session.cookie(), "X-Hapax-CSRF", session.csrf())
                .DELETE());

    assertThat(over.status()).isEqualTo(204);
    assertThat(over.header("Set-Cookie")).contains("Max-Age=0").contains("HttpOnly");
  }
}
