package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.PublicTools.Said;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What programs of others say about the server: its signatures, its document, its figures. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PublicToolsTest {
  private static final Path VECTORS =
      Path.of(System.getProperty("basedir", "app"))
          .resolve("src/test/resources/dev/hapax/app/webhook/vectors.json");

  @TempDir Path folder;

  @Test
  void the_kept_vectors_are_what_the_providers_libraries_sign() throws Exception {
    Said made = PublicTools.script("make-vectors.js");

    assertThat(made.exit()).as(made.out()).isZero();
    assertThat(Json.tree(made.out())).isEqualTo(Json.tree(Files.readString(VECTORS)));
  }

  @Test
  void what_the_providers_libraries_sign_now_is_accepted_and_nothing_else() throws Exception {
    JsonNode now = vectors(Instant.now());
    JsonNode old = vectors(Instant.now().minusSeconds(600));
    try (var server = new TestServer(folder)) {
      listen(server, now);
      for (int i = 0; i < now.size(); i++) {
        JsonNode one = now.get(i);
        String scheme = one.get("scheme").stringValue();

        Reply first = deliver(server, scheme, one, "");
        if (one.get("body").stringValue().contains("\\u0000")) { // believed, but not to be stored
          assertThat(first.status()).as(first.raw().body()).isEqualTo(400);
        } else {
          assertThat(first.at("/outcome")).as(first.raw().body()).isEqualTo("accepted");
          Reply again = deliver(server, scheme, one, "");
          assertThat(again.at("/outcome")).isEqualTo("duplicate");
          assertThat(again.at("/run")).isEqualTo(first.at("/run"));
        }

        assertThat(deliver(server, scheme, one, " ").status()).as("changed").isEqualTo(401);
        assertThat(deliver(server, scheme + "-wrong", one, "").status()).isEqualTo(401);
        assertThat(deliver(server, scheme + "-none", one, "").status()).isEqualTo(401);
        if (!scheme.equals("github")) { // which signs no time
          assertThat(deliver(server, scheme, old.get(i), "").status()).as("old").isEqualTo(401);
        }
      }
    }
  }

  private static JsonNode vectors(Instant at) throws Exception {
    Said made = PublicTools.script("make-vectors.js", Long.toString(at.getEpochSecond()));
    assertThat(made.exit()).as(made.out()).isZero();
    return Json.tree(made.out());
  }

  /** A door per scheme: with its secret, with a wrong one, and with one that was never set. */
  private static void listen(TestServer server, JsonNode vectors) {
    Map<String, String> secrets = new HashMap<>();
    vectors.forEach(
        one -> secrets.put(one.get("scheme").stringValue(), one.get("secret").stringValue()));
    secrets.forEach(
        (scheme, secret) -> {
          put(server, scheme, secret);
          put(server, scheme + "-wrong", "whsec_bm90IHRoZSByaWdodCBzZWNyZXQ=");
          for (String door : new String[] {scheme, scheme + "-wrong", scheme + "-none"}) {
            server.release(
                """
                flow: %1$s
                triggers:
                  - webhook: {path: %1$s, verify: {scheme: %2$s, secret: %1$s}, input: "${event.body}"}
                steps:
                  - id: keep
                    set: {id: "${input.id}"}
                """
                    .formatted(door, scheme));
          }
        });
  }

  private static void put(TestServer server, String name, String secret) {
    String value = "{\"value\": %s}".formatted(Json.write(secret));
    assertThat(server.put("/api/secrets/" + name, value).status()).isEqualTo(204);
  }

  private static Reply deliver(TestServer server, String door, JsonNode vector, String more) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + "/hooks/" + door))
            .POST(BodyPublishers.ofString(vector.get("body").stringValue() + more));
    vector
        .get("headers")
        .properties()
        .forEach(header -> request.setHeader(header.getKey(), header.getValue().stringValue()));
    return server.send(request);
  }

  @Test
  void a_public_linter_finds_nothing_in_the_document() throws Exception {
    Path document = folder.resolve("openapi.json");
    try (var server = new TestServer(folder.resolve("data"))) {
      Files.writeString(document, server.get("/openapi.json").raw().body());
    }

    Said said = PublicTools.script("lint-openapi.js", document.toString());

    assertThat(said.exit()).as(said.out()).isZero();
  }

  @Test
  void promtool_finds_nothing_in_the_figures() throws Exception {
    Path metrics = folder.resolve("metrics");
    try (var server = new TestServer(folder.resolve("data"))) {
      server.post("/api/flows/order/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");
      Files.writeString(metrics, server.get("/metrics").raw().body());
    }

    Said said = PublicTools.promtool(metrics);

    assertThat(said.exit()).as(said.out()).isZero();
    assertThat(said.out()).isBlank();
  }
}
