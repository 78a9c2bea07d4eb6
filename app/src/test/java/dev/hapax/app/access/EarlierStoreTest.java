package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.data.ServerMap;
import dev.hapax.flow.KvEntry;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store from before secrets had hosts, and before releases needed a scope for connections: the
 * server opens it, nothing stops working, and no secret can go elsewhere any more.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EarlierStoreTest {
  private static final String USES =
      "flow: uses\nsteps:\n  - {id: get, http: {connection: bank, path: /}}\n";

  @TempDir private static Path folder;
  private static TestServer server;
  private static String oldToken;

  @BeforeAll
  static void upgrade() throws IOException {
    try (var before = new TestServer(folder)) {
      for (String secret : List.of("bank-token", "unused")) {
        must(before.put("/api/secrets/" + secret, "{\"value\": \"secret-%s\"}".formatted(secret)));
      }
      must(before.put("/api/connections/bank", connection("https://bank.example/v1")));
      must(before.put("/api/secrets/bank-token", hosts("bank.example", "other.example")));
      must(before.put("/api/connections/other", connection("https://Other.example:8443")));
      must(before.put("/api/connections/old", "{\"http\": {\"base\": \"https://old.example\"}}"));
      oldToken = token(before);
    }
    HapaxOptions options = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);
    try (Hapax hapax = Hapax.open(folder.resolve("hapax.db"), options)) {
      Kv map = ServerMap.of(hapax);
      List<KvEntry> hosts = map.list("secret-hosts/", null, 200);
      assertThat(hosts).isNotEmpty();
      hosts.forEach(entry -> map.delete(entry.key()));
      for (KvEntry token : map.list("tokens/", null, 200)) {
        rewrite(map, token.key(), record -> without(record, "scopeVersion"));
      }
      rewrite(map, "connections/default/old", EarlierStoreTest::withCredentials);
    }
    server = new TestServer(folder);
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static void must(Reply reply) {
    assertThat(reply.status()).as("%s", reply.body()).isLessThan(300);
  }

  private static String connection(String base) {
    return "{\"http\": {\"base\": \"%s\", \"auth\": {\"bearer\": \"bank-token\"}}}".formatted(base);
  }

  private static String hosts(String... hosts) {
    return Json.write(Map.of("value", "secret-bank-token", "hosts", List.of(hosts)));
  }

  private static String token(TestServer server) {
    return server
        .post("/api/tokens", "{\"name\": \"author\", \"scopes\": [\"flows:write\"]}")
        .at("/token");
  }

  @SuppressWarnings("unchecked") // a JSON object
  private static void rewrite(Kv map, String key, UnaryOperator<Map<String, Object>> change) {
    String json = Objects.requireNonNull(map.get(key).json(), key);
    map.put(key, change.apply((Map<String, Object>) Json.read(json, Map.class)));
  }

  private static Map<String, Object> without(Map<String, Object> record, String name) {
    var copy = new LinkedHashMap<>(record);
    assertThat(copy.remove(name)).as(name).isNotNull();
    return copy;
  }

  private static Map<String, Object> withCredentials(Map<String, Object> record) {
    var copy = new LinkedHashMap<>(record);
    Map<String, Object> headers =
        Map.of(
            "X-Api-Key", "readable-key",
            "PRIVATE-TOKEN", "readable-token",
            "Authorization", "Bearer readable-bearer",
            "Cookie", "session=readable-cookie",
            "Accept-Language", "de");
    copy.put("form", Map.of("http", Map.of("base", "https://old.example", "headers", headers)));
    return copy;
  }

  @Test
  void a_secret_gets_the_hosts_of_the_connections_that_use_it() {
    Reply secrets = server.get("/api/secrets");

    assertThat(secrets.at("/items/0/name")).isEqualTo("bank-token");
    assertThat(secrets.at("/items/0/hosts")).isEqualTo("[\"bank.example\",\"other.example\"]");
    assertThat(secrets.at("/items/1/hosts")).isEqualTo("null");
    assertThat(server.put("/api/connections/evil", connection("https://evil.example")).status())
        .isEqualTo(409);
  }

  @Test
  void a_token_that_could_release_keeps_the_right_to_use_connections() {
    var draft =
        server
            .request("/api/flows/uses/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(USES));
    must(server.send(draft));

    assertThat(release(oldToken)).isEqualTo(201);
    assertThat(release(token(server))).as("a token that is made now").isEqualTo(403);
  }

  private static int release(String token) {
    return server
        .send(
            server
                .request("/api/flows/uses/releases")
                .setHeader("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString("{}")))
        .status();
  }

  @Test
  void credentials_in_headers_of_a_connection_are_not_shown() {
    for (String path : List.of("/api/connections", "/api/connections/old")) {
      assertThat(server.get(path).raw().body())
          .contains("X-Api-Key", "PRIVATE-TOKEN", "Authorization", "Cookie", "[redacted]")
          .contains("\"Accept-Language\":\"de\"")
          .doesNotContain("readable");
    }
    String again =
        "{\"http\": {\"base\": \"https://old.example\", \"headers\": {\"X-Api-Key\": \"k\"}}}";
    assertThat(server.put("/api/connections/old", again).status()).isEqualTo(400);
  }
}
