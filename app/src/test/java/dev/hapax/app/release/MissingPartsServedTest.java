package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server releases and promotes no flow that needs what it does not have. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MissingPartsServedTest {
  private static final String ORDER =
      """
      flow: needy
      key: ${input.id}
      triggers:
        - webhook:
            path: needy
            verify: {scheme: github, secret: hook}
            event: ${event.body.id}
      steps:
        - id: charge
          http: {connection: bank, method: PUT, path: "/charges/${input.id}", body: {}}
          effect: {kind: update, key: "${input.id}", guard: upsert}
        - id: mail
          email: {connection: shop, to: a@example.com, subject: hello, text: hello}
          effect: {kind: notify, key: "${input.id}", guard: none}
        - id: child
          flow: {name: invoice, input: {id: "${input.id}"}}
      """;

  private static final String INVOICE =
      "flow: invoice\nkey: ${input.id}\nsteps:\n  - {id: one, set: {a: 1}}\noutput: ${steps.one.output.a}\n";

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    Path helper =
        Files.writeString(
            folder.resolve("sources.yaml"),
            "secrets:\n  default:\n    away: {file: \"%s\"}\n".formatted(folder.resolve("absent")));
    server = new TestServer(folder.resolve("data"), "secrets.sources=" + helper);
    must(server.put("/api/connections/shop", "{\"http\": {\"base\": \"https://shop.example\"}}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Reply must(Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isLessThan(300);
    return reply;
  }

  private Reply draft(String text, @Nullable String token) {
    String name = text.lines().findFirst().orElseThrow().substring("flow: ".length());
    var request =
        server
            .request("/api/flows/" + name + "/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text));
    return server.send(
        token == null ? request : request.setHeader("Authorization", "Bearer " + token));
  }

  private static List<String> rules(Reply reply) {
    var rules = new ArrayList<String>();
    reply
        .body()
        .path("findings")
        .forEach(
            finding ->
                rules.add(
                    finding.path("level").asString() + " " + finding.path("rule").asString()));
    return rules;
  }

  @Test
  void a_release_that_lacks_something_is_refused_with_everything_at_once() {
    must(draft(ORDER, null));

    Reply refused = server.post("/api/flows/needy/releases", "{}");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/type")).endsWith("/findings");
    assertThat(refused.at("/detail")).contains("nothing was released", "--allow-missing");
    assertThat(rules(refused))
        .containsExactly(
            "error missing-secret",
            "error unknown-connection",
            "error wrong-connection",
            "error unknown-flow");
    assertThat(refused.at("/findings/1/line")).isEqualTo("10");
    assertThat(refused.at("/findings/1/fix")).contains("hapax connections put bank");
    assertThat(server.get("/api/flows/needy/releases").at("/items")).isEqualTo("[]");
  }

  @Test
  void what_is_allowed_to_be_missing_comes_back_as_warnings_and_can_be_added_later() {
    must(draft(ORDER, null));

    Reply made = must(server.post("/api/flows/needy/releases", "{\"allowMissing\": true}"));
    Reply refused = server.put("/api/flows/needy/live", "{\"release\": 1}");
    Reply allowed =
        must(server.put("/api/flows/needy/live", "{\"release\": 1, \"allowMissing\": true}"));

    assertThat(rules(made)).contains("warning unknown-connection", "warning missing-secret");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/detail")).contains("nothing was promoted");
    assertThat(rules(allowed))
        .containsExactly(
            "warning missing-secret",
            "warning unknown-connection",
            "warning wrong-connection",
            "warning unknown-flow");

    must(server.put("/api/secrets/hook", "{\"value\": \"v\"}"));
    must(server.put("/api/connections/bank", "{\"http\": {\"base\": \"https://bank.example\"}}"));
    must(
        server.put(
            "/api/connections/shop",
            "{\"smtp\": {\"host\": \"mail.example\", \"from\": \"a@example.com\"}}"));
    server.release(INVOICE);

    assertThat(rules(must(server.put("/api/flows/needy/live", "{\"release\": 1}")))).isEmpty();
  }

  @Test
  void a_connection_of_another_tenant_does_not_exist() {
    String rival = server.tokenOf("rival");
    must(draft("flow: lone\nsteps:\n  - {id: get, http: {connection: shop, path: /}}\n", null));
    must(draft("flow: lone\nsteps:\n  - {id: get, http: {connection: shop, path: /}}\n", rival));

    Reply own = server.post("/api/flows/lone/releases", "{}");
    Reply foreign =
        server.send(
            server
                .request("/api/flows/lone/releases")
                .setHeader("Authorization", "Bearer " + rival)
                .POST(BodyPublishers.ofString("{}")));

    assertThat(own.status()).isEqualTo(201);
    assertThat(rules(foreign)).containsExactly("error unknown-connection");
  }

  @Test
  void a_secret_from_outside_that_cannot_be_read_now_is_not_missing() {
    must(
        server.put(
            "/api/connections/vaulted",
            "{\"http\": {\"base\": \"https://v.example\", \"auth\": {\"bearer\": \"away\"}}}"));
    must(
        server.put(
            "/api/connections/bare",
            "{\"http\": {\"base\": \"https://b.example\", \"auth\": {\"bearer\": \"unset\"}}}"));
    must(draft("flow: a\nsteps:\n  - {id: get, http: {connection: vaulted, path: /}}\n", null));
    must(draft("flow: b\nsteps:\n  - {id: get, http: {connection: bare, path: /}}\n", null));

    assertThat(server.post("/api/flows/a/releases", "{}").status()).isEqualTo(201);
    assertThat(rules(server.post("/api/flows/b/releases", "{}")))
        .containsExactly("error missing-secret");
  }

  @Test
  void a_live_flow_keeps_running_when_its_child_and_connection_are_gone() {
    server.release(INVOICE);
    must(
        draft(
            """
            flow: parent
            key: ${input.id}
            steps:
              - id: late
                when: ${input.late}
                http: {connection: shop, path: /}
              - id: child
                flow: {name: invoice, input: {id: "${input.id}"}}
            output: ${steps.child.output}
            """,
            null));
    must(server.post("/api/flows/parent/releases", "{}"));
    must(server.put("/api/flows/parent/live", "{\"release\": 1}"));
    must(server.delete("/api/connections/shop"));

    Reply run =
        server.post(
            "/api/flows/parent/runs", "{\"id\": \"A\", \"late\": false}", "Prefer", "wait=20");
    Reply again = server.put("/api/flows/parent/live", "{\"release\": 1}");

    assertThat(run.at("/status")).isEqualTo("succeeded");
    assertThat(rules(again)).containsExactly("error unknown-connection");
    assertThat(server.get("/api/flows/parent").at("/live")).isEqualTo("1");
  }
}
