package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks a server for everything, and keeps the answers. */
final class Listener {
  static final Set<String> READS = Set.of("GET");
  static final Set<String> WRITES = Set.of("PUT", "POST", "DELETE");

  @SuppressWarnings("NullAway.Init")
  private ServerProcess server;

  /** By who asked for what. */
  final Map<String, String> heard = new LinkedHashMap<>();

  /** Things that exist, by the beginning of the paths that lead to them. */
  final Map<String, String> things = new TreeMap<>();

  void listenTo(ServerProcess started) {
    server = started;
  }

  /** Keeps what the stream of events sends from now on. */
  Queue<String> follow(String token) throws Exception {
    var lines = new ConcurrentLinkedQueue<String>();
    var stream =
        server
            .client()
            .send(server.request(token, "GET", "/api/events", null), BodyHandlers.ofLines());
    Thread.startVirtualThread(
        () -> {
          try {
            stream.body().forEach(lines::add);
          } catch (UncheckedIOException e) {
            // the server has stopped
          }
        });
    return lines;
  }

  /** Reads what exists, and would write what does not. */
  void walkCarefully(String role, @Nullable String token) {
    walk(role, token, READS, true);
    walk(role, token, WRITES, false);
  }

  /**
   * Asks every route of the server that has one of the methods for what does not exist.
   *
   * @param isReal whether for what exists, too
   */
  void walk(String role, @Nullable String token, Set<String> methods, boolean isReal) {
    try {
      for (String[] route : routes()) {
        String path = route[1];
        if (methods.contains(route[0])) {
          String body = methods.equals(READS) ? null : "{}";
          hear(role, token, route[0], path.replaceAll("\\{[^}]*}", "1"), body);
          if (isReal && path.contains("{")) {
            hear(role, token, route[0], real(path), body);
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(role, e);
    }
  }

  /** Method and path of all but streams, and webhooks, whose senders have no token. */
  private List<String[]> routes() throws Exception {
    var routes = new ArrayList<String[]>();
    JsonNode paths = server.get(null, "/openapi.json").json().path("paths");
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      if (!path.getKey().equals("/api/events") && !path.getKey().startsWith("/hooks")) {
        for (String method : path.getValue().propertyNames()) {
          routes.add(new String[] {method.toUpperCase(Locale.ROOT), path.getKey()});
        }
      }
    }
    assertThat(routes).hasSizeGreaterThan(40);
    return routes;
  }

  /** The path with something that exists in the place of its first parameter. */
  String real(String path) {
    String start = path.substring(0, path.indexOf('{'));
    String thing = things.getOrDefault(start, "none");
    return (start + thing + path.substring(path.indexOf('}') + 1)).replaceAll("\\{[^}]*}", "1");
  }

  void hear(String role, @Nullable String token, String method, String path, @Nullable String body)
      throws Exception {
    Reply reply = server.ask(token, method, path, body);
    assertThat(reply.status()).as("%s %s: %s", method, path, reply.text()).isNotEqualTo(500);
    boolean isNewToken = method.equals("POST") && path.endsWith("/tokens");
    heard.put(
        "%s: %s %s %s".formatted(role, method, path, body), isNewToken ? "" : reply.toString());
  }
}
