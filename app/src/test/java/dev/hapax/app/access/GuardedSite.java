package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.secret.outside.SourcesFile;
import dev.hapax.json.Json;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with the access routes, and its callers. */
final class GuardedSite implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();

  private final MemoryStore store = new MemoryStore();
  final Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT.closeWithin(Duration.ZERO));
  final AccessControl control;
  final String operator;
  private final Server server;

  GuardedSite(Path folder, Route... others) throws IOException {
    this.control =
        AccessControl.open(
            hapax,
            store,
            new TermsBook(store, Ports.system()),
            folder,
            SourcesFile.read(null, Ports.system().clock()),
            RequestLimits.NONE,
            new BrowserSessions.Place("", "127.0.0.1", false),
            Ports.system());
    this.operator = Objects.requireNonNull(control.firstToken());
    List<Route> routes = new ArrayList<>(control.routes());
    routes.addAll(List.of(others));
    this.server =
        Server.start(
            new Routes(control.audited(routes), control.access(), hapax::tenant, () -> false),
            Server.Place.at("127.0.0.1", 0).drainWithin(Duration.ofSeconds(10)));
  }

  /** What the server said. */
  record Reply(int status, String text, HttpResponse<String> response) {
    JsonNode json() {
      return Json.tree(text);
    }
  }

  Reply get(String token, String path) {
    return send(token, "GET", path, null);
  }

  Reply put(String token, String path, Object body) {
    return send(token, "PUT", path, body);
  }

  Reply post(String token, String path, Object body) {
    return send(token, "POST", path, body);
  }

  Reply delete(String token, String path) {
    return send(token, "DELETE", path, null);
  }

  /** Puts if what is there still has this tag. */
  Reply sendIfMatch(String token, String path, Object body, String tag) {
    return send(token, "PUT", path, body, Map.of("If-Match", tag));
  }

  Reply send(@Nullable String token, String method, String path, @Nullable Object body) {
    return send(token, method, path, body, Map.of());
  }

  private Reply send(
      @Nullable String token,
      String method,
      String path,
      @Nullable Object body,
      Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body(), response);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A new tenant's admin token. */
  String tenant(String name) {
    post(operator, "/api/tenants", Map.of("name", name));
    return post(operator, "/api/tenants/" + name + "/tokens", Map.of())
        .json()
        .path("token")
        .asString();
  }

  /** A token of the same tenant with these scopes only. */
  String token(String admin, String... scopes) {
    return post(admin, "/api/tokens", Map.of("name", "somebody", "scopes", List.of(scopes)))
        .json()
        .path("token")
        .asString();
  }

  @Override
  public void close() {
    client.shutdownNow(); // else the server waits a second for its idle connections
    server.close();
    hapax.close();
  }
}
