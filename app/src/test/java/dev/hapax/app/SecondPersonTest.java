package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Approvals over HTTP that need a second person or a token, and links from before an upgrade. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecondPersonTest {
  private static final String PAY =
      """
      flow: pay
      key: ${input.id}
      steps:
        - id: second
          approval: {ask: "Pay ${input.id}?", notBy: starter, expires: 3d}
      output: {by: "${steps.second.output.by}"}
      """;

  @TempDir Path folder;

  private static JsonNode approvalOf(TestServer server, String run) {
    while (true) {
      for (JsonNode item : server.get("/api/approvals").body().path("items")) {
        if (item.path("run").stringValue().equals(run)) {
          return item;
        }
      }
    }
  }

  private static HttpResponse<String> form(String link, String fields) {
    return ask(
        HttpRequest.newBuilder(URI.create(link))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(fields)));
  }

  private static HttpResponse<String> ask(HttpRequest.Builder request) {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String token(TestServer server, String name) {
    String wish =
        "{\"name\": \"%s\", \"scopes\": [\"runs:write\", \"runs:read\", \"approvals:decide\", \"approvals:read\"]}"
            .formatted(name);
    return server.post("/api/tokens", wish).at("/token");
  }

  private static Reply as(String token, TestServer server, String path, String json) {
    return server.send(
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(json)));
  }

  @Test
  void the_starter_is_refused_by_every_way_and_another_token_decides() throws IOException {
    try (var server = new TestServer(folder)) {
      server.release(PAY);
      String ann = token(server, "ann");
      String bob = token(server, "bob");
      Reply started = as(ann, server, "/api/flows/pay/runs", "{\"id\": \"P-1\"}");
      assertThat(started.at("/startedBy/name")).isEqualTo("ann");
      JsonNode approval = approvalOf(server, started.at("/id"));
      assertThat(approval.path("notByStarter").booleanValue()).isTrue();
      String path = "/api/approvals/" + approval.path("id").stringValue();
      String link =
          server.address() + approval.path("link").stringValue().replaceFirst("http://[^/]*", "");
      String approve = "{\"decision\": \"approve\"}";

      Reply refused = as(ann, server, path, approve);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.at("/detail")).contains("needs another person: 'ann'");
      assertThat(as(token(server, "ann"), server, path, approve).status()).isEqualTo(403);
      assertThat(form(link, "name=bob&decision=approve").statusCode()).isEqualTo(403);
      assertThat(form(link, "token=" + ann + "&decision=approve").statusCode()).isEqualTo(403);
      assertThat(form(link, "token=wrong&decision=approve").statusCode()).isEqualTo(401);
      String stranger = "token=" + server.tokenOf("acme") + "&decision=approve";
      assertThat(form(link, stranger).statusCode()).isEqualTo(401);
      assertThat(server.get(path).at("/state")).isEqualTo("open");

      var decided = form(link, "token=" + bob + "&decision=approve");

      assertThat(decided.statusCode()).isEqualTo(200);
      assertThat(decided.body()).contains("Decided: approve by bob").doesNotContain("claimed");
      assertThat(server.get(path).body().path("decision").has("claimed")).isFalse();
      String log = server.get("/api/audit?limit=200").at("/items");
      assertThat(log)
          .contains("decision=approve", "refused: forbidden", "\"actor\":\"ann\"", "127.0.0.1")
          .contains("POST /approvals/{link}")
          .doesNotContain(link.substring(link.lastIndexOf('.')));
    }
  }

  @Test
  void cancels_and_decisions_by_link_are_in_the_audit_log() throws IOException {
    try (var server = new TestServer(folder)) {
      String run = server.post("/api/flows/ask/runs", "{\"id\": \"A-1\"}").at("/id");
      JsonNode approval = approvalOf(server, run);
      String link =
          server.address() + approval.path("link").stringValue().replaceFirst("http://[^/]*", "");
      assertThat(form(link, "name=Eve&decision=reject").statusCode()).isEqualTo(200);
      String other = server.post("/api/flows/ask/runs", "{\"id\": \"A-2\"}").at("/id");
      server.post("/api/runs/" + other + "/cancel", "{}");

      String log = server.get("/api/audit?limit=200").at("/items");
      assertThat(log)
          .contains("Eve (by link)", "decision=reject, identity claimed")
          .contains("POST /api/runs/{id}/cancel", "id=" + other, "\"token\":\"token:");
      assertThat(server.get("/api/approvals/" + approval.path("id").stringValue()).at("/decision"))
          .contains("\"claimed\":true");
      assertThat(server.get("/api/runs/" + run + "/history").at("/items"))
          .contains("the identity is claimed, not proven");
      String export = ask(server.request("/api/audit/export").GET()).body();
      assertThat(export.lines().toList().getLast()).startsWith("{\"checkpoint\":{\"store\":");
      assertThat(export.lines().count()).isGreaterThan(3);
    }
  }

  @Test
  void a_link_of_an_older_version_is_valid_after_the_upgrade_and_its_key_is_gone()
      throws IOException {
    Ports ports = Ports.system();
    Path file = folder.resolve("hapax.db");
    Flow<String, String> asking =
        Flow.of("asking", String.class, String.class)
            .key(id -> id)
            .body((run, _) -> run.approval("release", Approval.ask("Send it?")).by());
    String link = "";
    byte[] key;
    Store store = StoreProvider.open(provider -> provider.open(file, ports.threads()));
    try (Hapax old = Hapax.open(store, HapaxOptions.DEFAULT.closeWithin(Duration.ofSeconds(5)))) {
      old.register(asking);
      old.start(asking, "A");
      while (link.isEmpty()) {
        for (var item : old.approvals().list(old.approvals().open())) {
          link = old.approvals().link(item.id());
        }
      }
      key = Objects.requireNonNull(store.secretKey());
    }
    assertThat(key).hasSize(32);
    for (int start = 1; start <= 2; start++) {
      try (var server = new TestServer(folder)) {
        var shown =
            server.send(
                HttpRequest.newBuilder(URI.create(server.address() + "/approvals/" + link)));
        assertThat(shown.status()).isEqualTo(200);
        assertThat(isInAFile(key)).as("start %d", start).isFalse();
      }
      assertThat(isInAFile(key)).isFalse();
    }
  }

  private boolean isInAFile(byte[] key) throws IOException {
    String wanted = new String(key, StandardCharsets.ISO_8859_1);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path one : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(one, StandardCharsets.ISO_8859_1).contains(wanted)) {
          return true;
        }
      }
    }
    return false;
  }
}
