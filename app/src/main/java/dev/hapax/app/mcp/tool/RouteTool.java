package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.flows.yaml.JsonSchema;
import java.util.List;

/** A tool that calls one route, with the caller's permissions. */
abstract class RouteTool implements AgentTool {
  final AgentRoutes routes;
  private final InnerRequest request;
  private final ToolDefinition definition;
  private final Kind kind;
  private final JsonSchema schema;

  RouteTool(AgentRoutes routes, InnerRequest request, Kind kind, ToolDefinition definition) {
    this.routes = routes;
    this.request = request;
    this.kind = kind;
    this.definition = definition;
    this.schema = JsonSchema.of(definition.input());
  }

  @Override
  public final ToolDefinition definition() {
    return definition;
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public boolean isFor(Call caller) {
    Route route = routes.route(request);
    return caller.actor().may(route.scope())
        && (caller.actor().flows().isAll() || !route.subject().equals(FlowSubject.UNDECLARED));
  }

  @Override
  public final ToolResult call(AgentCall call) throws InterruptedException {
    List<String> problems = schema.problems(call.arguments());
    if (!problems.isEmpty()) {
      throw Problem.invalidInput("arguments: " + String.join("; ", problems));
    }
    return answer(call, request);
  }

  /** Returns the result of a call whose arguments fit the schema. */
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    return ToolAnswers.read(call, routes.ask(call.caller(), asked(call, empty)));
  }

  /** Returns the request with the arguments of the call. */
  abstract InnerRequest asked(AgentCall call, InnerRequest request);

  /** Adds the page that the call asks for. */
  static InnerRequest paged(AgentCall call, InnerRequest request) {
    String limit = call.textOrNull("limit");
    return request
        .query("limit", limit == null ? "20" : limit)
        .query("after", call.textOrNull("after"));
  }
}
