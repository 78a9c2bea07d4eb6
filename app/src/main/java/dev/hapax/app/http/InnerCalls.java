package dev.hapax.app.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Calls of routes from inside a call, by the same caller. So another door, such as MCP, has the
 * same permissions, limits, audit and answers as HTTP. Safe for many threads.
 */
public final class InnerCalls {
  private final Map<String, Route> routes = new HashMap<>();
  private final RefusalWatch refusals;

  /**
   * Calls of these routes.
   *
   * @param refusals learns of every refused call
   */
  public InnerCalls(List<Route> all, RefusalWatch refusals) {
    all.forEach(route -> routes.put(route.toString(), route));
    this.refusals = refusals;
  }

  /**
   * The answer of a route.
   *
   * @param body null-like for no body
   */
  public record Answer(int status, JsonNode body, Map<String, String> headers) {
    /** Whether the route has carried the request out. */
    public boolean isFine() {
      return status < 300;
    }
  }

  /** Returns the route that the request is for. */
  public Route route(InnerRequest request) {
    return Objects.requireNonNull(
        routes.get(request.route()), () -> "there is no route " + request.route());
  }

  /** Calls the route as the caller of the outer call; a refusal is an answer, too. */
  public Answer ask(Call outer, InnerRequest request) throws InterruptedException {
    Route route = route(request);
    var carried = new InnerRequest.Carried(request, outer);
    try {
      return answer(Routes.handled(outer.inner(carried), route));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | StackOverflowError e) {
      Problem problem = Problems.of(e, route);
      Actor actor = route.scope() == TokenScope.PUBLIC ? null : outer.actor();
      refusals.refused(new RefusalWatch.Refused(route, carried, actor, problem, e));
      return answer(problem.answer());
    }
  }

  private static Answer answer(RouteAnswer answer) {
    return new Answer(answer.status(), body(answer.body()), answer.headers());
  }

  private static JsonNode body(RouteAnswer.@Nullable Body body) {
    return switch (body) {
      case RouteAnswer.Json(var value) -> Call.shown(value);
      case RouteAnswer.Bytes(var content, var type) -> {
        String text = new String(content, StandardCharsets.UTF_8);
        yield type.contains("json") ? Call.parsed(text) : JsonNodeFactory.instance.stringNode(text);
      }
      case null, default -> JsonNodeFactory.instance.nullNode();
    };
  }
}
