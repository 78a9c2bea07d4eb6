package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.attack.ProbedRoutes;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import dev.hapax.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every route with every scope: which tokens are let in, and which are not. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("attack")
class AccessMatrixTest {
  /** What answers without a token; a route that is added here was thought about. */
  private static final Set<String> PUBLIC =
      Set.of(
          "GET /healthz",
          "GET /readyz",
          "GET /metrics",
          "GET /openapi.json",
          "GET /.well-known/oauth-protected-resource",
          "GET /.well-known/oauth-protected-resource/mcp",
          "POST /api/callbacks/{token}",
          "GET /approvals/{link}",
          "POST /approvals/{link}",
          "POST /hooks/{+path}");

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void a_route_lets_in_tokens_with_its_scope_and_no_other() throws Exception {
    try (var routes = ProbedRoutes.in(folder)) {
      for (Route route : routes.all()) {
        boolean isPublic = PUBLIC.contains(route.toString());
        assertThat(route.scope() == TokenScope.PUBLIC).as("%s", route).isEqualTo(isPublic);
        assertThat(ask(routes, route, null)).as("%s", route).isEqualTo(isPublic ? 200 : 401);
        assertThat(ask(routes, route, "unknown")).isEqualTo(isPublic ? 200 : 401);
        for (TokenScope scope : TokenScope.values()) {
          boolean isIn = route.scope().isAllowedBy(Set.of(scope));
          assertThat(ask(routes, route, scope.word()))
              .as("%s with %s", route, scope)
              .isEqualTo(isIn ? 200 : 403);
        }
      }
    }
  }

  private static int ask(ProbedRoutes routes, Route route, @Nullable String token)
      throws Exception {
    return send(routes.address(), route.method(), ProbedRoutes.concrete(route), token).statusCode();
  }

  /** Returns the path with these values, and a word for each parameter that has none. */
  private static String concrete(Route route, Map<String, String> values) {
    String path = route.path();
    for (var value : values.entrySet()) {
      path =
          path.replace("{+" + value.getKey() + "}", value.getValue())
              .replace("{" + value.getKey() + "}", value.getValue());
    }
    return path.replaceAll("\\{\\+?[a-zA-Z]+}", "x");
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
  void no_caller_sees_or_changes_what_another_tenant_has() throws Exception {
    try (var server = new TestServer(folder)) {
      server.moods.put("A-1", "lost");
      String run =
          server.post("/api/flows/order/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20").at("/id");
      server.put("/api/kv/x", "{\"value\": \"mine\"}");
      server.post("/api/resources", "{\"mine\": true}");
      String effect = server.get("/api/effects").at("/items/0/id");
      Map<String, String> mine =
          Map.of("id", run, "effect", effect, "key", "x", "flow", "order", "release", "1");

      for (Route route : server.routes()) {
        // A stream goes on, and the stranger's own audit log repeats what they asked for.
        if (route.scope() == TokenScope.PUBLIC
            || Set.of("/api/events", "/api/audit", "/api/audit/export").contains(route.path())) {
          continue;
        }
        String path = concrete(route, mine);
        if (route.path().startsWith("/api/effects/") || route.path().startsWith("/api/reviews/")) {
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
          boolean isOfOperator = route.path().startsWith("/api/tenants/"); // for every name
          assertThat(answer.statusCode()).as("%s", route).isEqualTo(isOfOperator ? 403 : 404);
        }
      }
      assertThat(server.get("/api/runs/" + run).at("/status")).isEqualTo("review");
      assertThat(Json.write(server.get("/api/kv/x").body())).contains("mine");
    }
  }
}
