package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers who may write connections or flows, and want a secret that they cannot read. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class SecretHostAttackTest {
  private static final String SECRET = "s3cret-of-the-bank";

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static RecordingServer bank;
  private static String writer;

  @BeforeAll
  static void start() throws Exception {
    server = new ServerProcess(folder, List.of("-Xmx256m"));
    bank = new RecordingServer();
    writer = token("connections:write", "flows:write", "runs:write");
    secret("bank-token", "127.0.0.1");
    secret("no-hosts");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    bank.close();
  }

  private static String token(String... scopes) throws Exception {
    return server
        .ask(
            server.token(),
            "POST",
            "/api/tokens",
            Json.write(Map.of("name", "writer", "scopes", List.of(scopes))))
        .at("/token");
  }

  private static void secret(String name, String... hosts) throws Exception {
    Map<String, Object> body = new LinkedHashMap<>(Map.of("value", SECRET));
    if (hosts.length > 0) {
      body.put("hosts", List.of(hosts));
    }
    ServerProcess.must(server.ask(server.token(), "PUT", "/api/secrets/" + name, Json.write(body)));
  }

  /** Every way in which a connection can name a secret, to a host that is not the secret's. */
  private static Map<String, Object> forms(String secret, String host) {
    var forms = new LinkedHashMap<String, Object>();
    String base = "https://" + host;
    forms.put("bearer", Map.of("http", Map.of("base", base, "auth", Map.of("bearer", secret))));
    forms.put(
        "basic",
        Map.of(
            "http",
            Map.of("base", base, "auth", Map.of("basic", Map.of("user", "me", "secret", secret)))));
    forms.put(
        "header",
        Map.of(
            "http",
            Map.of(
                "base",
                base,
                "auth",
                Map.of("header", Map.of("name", "X-Key", "secret", secret)))));
    forms.put("webhook", Map.of("webhook", Map.of("url", base, "secret", secret)));
    forms.put(
        "smtp",
        Map.of(
            "smtp", Map.of("host", host, "from", "a@example.org", "user", "me", "secret", secret)));
    forms.put(
        "postgres",
        Map.of("postgres", Map.of("host", host, "database", "x", "user", "me", "secret", secret)));
    return forms;
  }

  @Test
  void no_connection_takes_a_secret_to_another_host() throws Exception {
    List<String> hosts =
        List.of("evil.example", "127.0.0.1.evil.example", "127.0.0.2", "localhost", "EVIL.example");
    int attempts = 0;
    for (String token : List.of(server.token(), writer)) {
      for (String host : hosts) {
        for (Object form : forms("bank-token", host).values()) {
          Reply reply = server.ask(token, "PUT", "/api/connections/evil", Json.write(form));
          assertThat(reply.status()).as("%s %s", form, reply.text()).isEqualTo(409);
          attempts++;
        }
      }
    }
    for (Object form : forms("no-hosts", "evil.example").values()) {
      Reply reply = server.ask(writer, "PUT", "/api/connections/evil", Json.write(form));
      assertThat(reply.status()).as("%s %s", form, reply.text()).isEqualTo(403);
      attempts++;
    }
    AttackTable.held(
        SecretHostAttackTest.class, "Connections that take a secret to another host", attempts);
  }

  @Test
  void a_secret_reaches_its_own_host_and_is_not_sent_unencrypted_elsewhere() throws Exception {
    Map<String, Object> form =
        Map.of(
            "base", "http://127.0.0.1:" + bank.port(),
            "auth", Map.of("bearer", "bank-token"),
            "privateHosts", Set.of("127.0.0.1"));
    ServerProcess.must(
        server.ask(
            server.token(), "PUT", "/api/connections/bank", Json.write(Map.of("http", form))));
    server.release(
        server.token(),
        """
        flow: pay
        steps:
          - id: pay
            http: {connection: bank, path: /}
            retry: {attempts: 1}
        """);
    Reply run =
        server.ask(server.token(), "POST", "/api/flows/pay/runs", "{}", "Prefer", "wait=20");
    assertThat(run.at("/status")).as(run.text()).isEqualTo("succeeded");
    assertThat(bank.heads.getFirst()).contains("Bearer " + SECRET);

    bank.heads.clear();
    secret("bank-token", "bank.example"); // the connection still leads to 127.0.0.1
    Reply refused =
        server.ask(server.token(), "POST", "/api/flows/pay/runs", "{}", "Prefer", "wait=20");
    assertThat(refused.at("/status")).as(refused.text()).isEqualTo("failed");
    assertThat(refused.at("/error/code")).isEqualTo("secret-refused");
    assertThat(bank.heads).allSatisfy(head -> assertThat(head).doesNotContain(SECRET));
    secret("bank-token", "127.0.0.1");

    for (String host : List.of("http://bank.example", "HTTP://bank.example:80")) {
      String body = Json.write(Map.of("value", SECRET, "hosts", List.of(host)));
      assertThat(server.ask(token("secrets:write"), "PUT", "/api/secrets/plain", body).status())
          .isEqualTo(403);
    }
  }

  @Test
  void a_release_needs_the_right_to_use_a_connection_and_to_leave_a_webhook_unsigned()
      throws Exception {
    String uses =
        """
        flow: uses
        steps:
          - id: get
            http: {connection: bank, path: /}
        """;
    String open =
        """
        flow: open
        triggers:
          - webhook: {path: open/door, verify: {scheme: none}}
        steps:
          - {id: note, set: {a: 1}}
        """;
    String able = token("flows:write", "runs:write", "connections:use", "webhooks:unsigned");
    for (String flow : List.of(uses, open)) {
      String name = "/api/flows/" + flow.substring(6, flow.indexOf('\n'));
      ServerProcess.must(server.ask(writer, "PUT", name + "/draft", flow));
      assertThat(server.ask(writer, "POST", name + "/releases", "{}").status()).isEqualTo(403);
      assertThat(server.ask(able, "POST", name + "/releases", "{\"allowMissing\": true}").status())
          .isEqualTo(201);
    }
    assertThat(server.ask(writer, "POST", "/api/flows/uses/runs?draft=true", "{}").status())
        .isEqualTo(403);
    AttackTable.held(
        SecretHostAttackTest.class, "Releases and drafts beyond the rights of their token", 3);
  }
}
