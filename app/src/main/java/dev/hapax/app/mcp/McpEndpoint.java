package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.mcp.tool.AgentTool;
import dev.hapax.app.mcp.tool.Tasks;
import dev.hapax.app.mcp.tool.ToolBox;
import dev.hapax.app.mcp.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Answers messages of MCP clients in both revisions. Has no sessions. Safe for many threads. */
public final class McpEndpoint {
  private static final List<String> VERSIONS = versions();

  private final Predicate<String> origins;
  private final CurrentRevision current;
  private final SdkRevision earlier;

  /**
   * An endpoint with these tools.
   *
   * @param origins whether the page of a browser may call this server, given its origin
   * @param watch is told the kind and the outcome of every call of a tool
   */
  public McpEndpoint(
      ToolBox tools,
      Tasks tasks,
      String version,
      Predicate<String> origins,
      BiConsumer<AgentTool.Kind, ToolResult.Outcome> watch) {
    var calls = new ToolCalls(tools, watch);
    var card = new ServerCard(version);
    this.origins = origins;
    this.current = new CurrentRevision(calls, tasks, card, VERSIONS);
    this.earlier = new SdkRevision(calls, card);
  }

  private static List<String> versions() {
    var all = new ArrayList<String>();
    all.add(CurrentRevision.VERSION);
    all.addAll(SdkRevision.VERSIONS);
    return List.copyOf(all);
  }

  /** Returns the answer to the message in the body. */
  public RouteAnswer answer(Call call) throws InterruptedException {
    String origin = call.header("Origin");
    if (origin != null && !origins.test(origin)) {
      throw Problem.forbidden(
          "pages of '%s' cannot call this server: a browser sends their origin, and it is not the server's own"
              .formatted(origin.length() <= 100 ? origin : origin.substring(0, 100) + "…"));
    }
    JsonNode id = null;
    try {
      JsonNode body = body(call);
      id = idOf(body);
      McpMessage message = McpMessage.of(body);
      return current.isFor(call, message)
          ? current.answer(call, message)
          : earlier.answer(call, message);
    } catch (McpError e) {
      return RouteAnswer.of(e.status(), e.json(id));
    } catch (Problem e) {
      return refused(e, id);
    }
  }

  /** A route could not answer now, for example because the store is away: the message was fine. */
  private static RouteAnswer refused(Problem problem, @Nullable JsonNode id) {
    if (problem.status() < 500 && problem.status() != 429) {
      throw problem;
    }
    McpError error = McpError.of(McpError.INTERNAL, problem.detail()).status(problem.status());
    RouteAnswer answer = RouteAnswer.of(error.status(), error.json(id));
    String retry = problem.answer().headers().get("Retry-After");
    return retry == null ? answer : answer.header("Retry-After", retry);
  }

  private static JsonNode body(Call call) {
    try {
      return call.json();
    } catch (Problem e) {
      throw McpError.of(McpError.PARSE, e.detail()).status(e.status());
    }
  }

  private static @Nullable JsonNode idOf(JsonNode body) {
    JsonNode id = body.path("id");
    return id.isString() || id.isNumber() ? id : null;
  }
}
