package dev.hapax.app.demo;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sets up a server for the demo through its API: secrets, connections, flow files. All of it can be
 * repeated, however far an earlier demo came.
 */
final class DemoSetup {
  private static final List<String> FLOWS =
      List.of("order-to-invoice", "pay-order", "ship-order", "give-points");
  private static final String LOCAL = "127.0.0.1";
  private static final Map<String, Object> NOTE = Map.of("note", "for the demo");

  private final ServerDoor server;
  private final WebhookSecrets secrets;

  DemoSetup(ServerDoor server, WebhookSecrets secrets) {
    this.server = server;
    this.secrets = secrets;
  }

  private record Released(int release) {}

  /** Returns false if the server became unreachable meanwhile: then it is repeated later. */
  boolean set(URI sandbox) throws IOException, InterruptedException {
    return connect(sandbox)
        && heard(server.put("/api/secrets/shop-signing", Map.of("value", secrets.orders()))) != null
        && heard(server.put("/api/secrets/shop-paid", Map.of("value", secrets.paid()))) != null
        && releaseAll();
  }

  /** Sets the addresses of the outside systems, which return on another port after a kill. */
  boolean connect(URI sandbox) throws InterruptedException {
    String base = "http://" + sandbox.getAuthority();
    int mail = Integer.parseInt(sandbox.getQuery().substring("mail=".length()));
    for (String system : List.of(Sandbox.ACCOUNTING, Sandbox.PAYMENT, Sandbox.WAREHOUSE)) {
      if (heard(server.put("/api/connections" + system, http(base + system))) == null) {
        return false;
      }
    }
    return heard(server.put("/api/connections/smtp", smtp(mail))) != null;
  }

  private static Map<String, Object> http(String base) {
    return Map.of("http", Map.of("base", base, "privateHosts", List.of(LOCAL)));
  }

  private static Map<String, Object> smtp(int port) {
    return Map.of(
        "smtp",
        Map.of(
            "host",
            LOCAL,
            "port",
            port,
            "tls",
            "none",
            "from",
            "Shop <shop@example.com>",
            "privateHosts",
            List.of(LOCAL)));
  }

  private boolean releaseAll() throws IOException, InterruptedException {
    for (String flow : FLOWS) {
      String at = "/api/flows/" + flow;
      var yaml = Map.of("Content-Type", "application/yaml");
      if (heard(server.send("PUT", at + "/draft", file(flow), yaml)) == null) {
        return false;
      }
      ServerDoor.Heard released = heard(server.post(at + "/releases", NOTE));
      if (released == null) {
        return false;
      }
      int number = released.read(Released.class).release();
      if (heard(server.put(at + "/live", Map.of("release", number))) == null) {
        return false;
      }
    }
    return true;
  }

  private static String file(String flow) throws IOException {
    try (InputStream file = DemoSetup.class.getResourceAsStream(flow + ".yaml")) {
      return new String(Objects.requireNonNull(file, flow).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Throws if the server refuses: repeating it would change nothing. */
  private static ServerDoor.@Nullable Heard heard(ServerDoor.@Nullable Heard heard) {
    if (heard == null || heard.status() / 100 == 5) {
      return null;
    }
    if (!heard.isGood()) {
      throw new IllegalStateException("the server refused a part of the demo: " + heard.body());
    }
    return heard;
  }
}
