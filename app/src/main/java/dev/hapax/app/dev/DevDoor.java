package dev.hapax.app.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The development server as its folder uses it: over HTTP with its own token, like any program.
 * Every call may be refused with a {@link dev.hapax.app.cli.output.Refusal}.
 */
public final class DevDoor {
  private static final int PAGE = 200;

  private final ServerClient server;

  public DevDoor(ServerClient server) {
    this.server = server;
  }

  String url() {
    return server.url();
  }

  Set<String> connections() {
    var names = new TreeSet<String>();
    all("/api/connections", item -> names.add(item.path("name").asString()));
    return names;
  }

  /** Returns the flows that can be started, each with its live release. */
  Map<String, Integer> liveFlows() {
    var live = new LinkedHashMap<String, Integer>();
    all(
        "/api/flows",
        item -> {
          if (item.path("live").isNumber() && item.path("retiredAt").asString("").isEmpty()) {
            live.put(item.path("flow").asString(), item.path("live").asInt());
          }
        });
    return live;
  }

  void putConnection(String name, Object form) {
    server.ask(ServerRequest.put("/api/connections/{}", name).json(form));
  }

  void deleteConnection(String name) {
    server.ask(ServerRequest.delete("/api/connections/{}", name));
  }

  /** Returns the names of the secrets, each with how often it was written. */
  Map<String, Long> secrets() {
    var revisions = new LinkedHashMap<String, Long>();
    all(
        "/api/secrets",
        item -> revisions.put(item.path("name").asString(), item.path("revision").asLong(0)));
    return revisions;
  }

  /**
   * Writes a secret.
   *
   * @param hosts that it may go to; none if no connection uses it
   */
  void putSecret(String name, String value, Set<String> hosts) {
    var body = new LinkedHashMap<String, Object>();
    body.put("value", value);
    if (!hosts.isEmpty()) {
      body.put("hosts", hosts);
    }
    server.ask(ServerRequest.put("/api/secrets/{}", name).json(body));
  }

  /**
   * A release that is live now.
   *
   * @param isNew whether there was none of this text before
   */
  record Live(int release, boolean isNew) {}

  /** Makes a release of this text live; repeated with the same text, it changes nothing. */
  Live publish(String flow, String text, boolean allowMissing) {
    server.ask(
        ServerRequest.put("/api/flows/{}/draft", flow)
            .body("application/yaml", text.getBytes(StandardCharsets.UTF_8)));
    var made =
        server.ask(
            ServerRequest.post("/api/flows/{}/releases", flow)
                .json(Map.of("allowMissing", allowMissing)));
    int release = made.json().path("release").asInt();
    server.ask(
        ServerRequest.put("/api/flows/{}/live", flow)
            .json(Map.of("release", release, "allowMissing", allowMissing)));
    return new Live(release, made.status() == 201);
  }

  /** Hears each item of a list, page by page. */
  private void all(String path, Consumer<JsonNode> hear) {
    String after = null;
    do {
      JsonNode page =
          server.ask(ServerRequest.get(path).query("limit", PAGE).query("after", after)).json();
      page.path("items").forEach(hear);
      after = textOrNull(page.path("next"));
    } while (after != null);
  }

  private static @Nullable String textOrNull(JsonNode node) {
    String text = node.asString("");
    return text.isEmpty() ? null : text;
  }
}
