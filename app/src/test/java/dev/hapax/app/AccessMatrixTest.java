package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Scope;
import dev.hapax.app.http.Server;
import dev.hapax.json.Json;
import java.net.URI;
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
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every route with every role: who is let in, and who is not. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessMatrixTest {
  /** What answers without a token; a route that is added here was thought about. */
  private static final Set<String> PUBLIC =
      Set.of(
          "GET /healthz",
          "GET /readyz",
          "GET /metrics",
          "GET /openapi.json",
          "POST /api/callbacks/{token}",
          "GET /approvals/{link}",
          "POST /approvals/{link}",
          "POST /hooks/{+path}");

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void a_route_lets_in_who_has_its_scope_and_nobody_else() throws Exception {
    try (var real = new TestServer(folder)) {
      List<Route> probes = new ArrayList<>();
      for (Route route : real.routes()) {
        probes.add(
            new Route(
                route.method(),
                route.path(),
                route.scope(),
                route.summary(),
                _ -> Answer.ok(Map.of("in", true))));
      }
      try (Server server =
          Server.start(
              new Routes(probes, AccessMatrixTest::actor, _ -> none(), () -> false),
              "127.0.0.1",
              0,
              Duration.ofSeconds(1))) {
        for (Route route : probes) {
          boolean isPublic = PUBLIC.contains(route.toString());
          assertThat(route.scope() == Scope.PUBLIC).as("%s", route).isEqualTo(isPublic);
          assertThat(ask(server, route, null)).as("%s", route).isEqualTo(isPublic ? 200 : 401);
          assertThat(ask(server, route, "nobody")).isEqualTo(isPublic ? 200 : 401);
          for (Scope scope : Scope.values()) {
            boolean isIn = isPublic || scope == route.scope() || scope == Scope.ADMIN;
            assertThat(ask(server, route, scope.word()))
                .as("%s with %s", route, scope)
                .isEqualTo(isIn ? 200 : 403);
          }
        }
      }
    }
  }

  private static Hapax none() {
    throw new AssertionError("no handler is reached");
  }

  /** The token is the scope. */
  private static @Nullable Actor actor(String token) {
    return Stream.of(Scope.values())
        .filter(scope -> scope.word().equals(token))
        .map(scope -> new Actor(token, "acme", Set.of(scope), Set.of()))
        .findFirst()
        .orElse(null);
  }

  private static int ask(Server server, Route route, @Nullable String token) throws Exception {
    return send(server.address(), route.method(), concrete(route.path(), Map.of()), token)
        .statusCode();
  }

  private static String concrete(String path, Map<String, String> values) {
    String result = path;
    for (String name :
        List.of(
            "flow", "key", "id", "step", "token", "link", "hash", "release", "path", "name",
            "secret")) {
      result =
          result
              .replace("{+" + name + "}", values.getOrDefault(name, "x"))
              .replace("{" + name + "}", values.getOrDefault(name, "x"));
    }
    return result.replaceAll("\\{\\+?[a-zA-Z]+}", "x");
  }

  private static HttpResponse<String> send(
      URI server, Method method, String path, @Nullable String token) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .method(
                method.name(),
                method == Method.GET
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString("{\"reason\": \"x\"}"));
    return CLIENT.send(
        (token == null ? request : request.header("Authorization", "Bearer " + token)).build(),
        BodyHandlers.ofString());
  }

  @Test
  void nobody_sees_or_changes_what_another_tenant_has() throws Exception {
    try (var server = new TestServer(folder)) {
      server.moods.put("A-1", "lost");
      String run =
          server.post("/api/flows/order/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20").at("/id");
      server.put("/api/kv/x", "{\"value\": \"mine\"}");
      server.post("/api/resources", "{\"mine\": true}");
      String effect = server.get("/api/effects").at("/items/0/id");
      Map<String, String> mine = Map.of("id", run, "key", "x", "flow", "order", "release", "1");

      for (Route route : server.routes()) {
        // A stream goes on, and the stranger's own audit log repeats what they asked for.
        if (route.scope() == Scope.PUBLIC
            || Set.of("/api/events", "/api/audit").contains(route.path())) {
          continue;
        }
        String path = concrete(route.path(), mine);
        if (route.path().startsWith("/api/effects/")) {
          path = path.replace(run, effect);
        }
        HttpResponse<String> answer =
            send(server.address(), route.method(), path, server.tokenOf("stranger"));
        String told =
            answer
                .body()
                .replace(
                    path.replaceAll(".*(r-[a-z2-7]{26}|e-[0-9a-z]+).*", "$1"),
                    "what they asked for");
        assertThat(told).as("%s", route).doesNotContain(run, effect, "\"mine\"", "order/charge");
        if (!route.parameters().isEmpty() && route.method() == Method.GET) {
          assertThat(answer.statusCode()).as("%s", route).isEqualTo(404);
        }
      }
      assertThat(server.get("/api/runs/" + run).at("/status")).isEqualTo("review");
      assertThat(Json.write(server.get("/api/kv/x").body())).contains("mine");
    }
  }
}
