package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Route;

/**
 * The routes of the server as tools call them. Every answer passes through here, so that no tool
 * can show an agent a link that decides an approval. Safe for many threads.
 */
public final class AgentRoutes {
  private final InnerCalls routes;

  public AgentRoutes(InnerCalls routes) {
    this.routes = routes;
  }

  /** Returns the route that the request is for. */
  Route route(InnerRequest request) {
    return routes.route(request);
  }

  /** Calls the route as the caller of the outer call; a refusal is an answer, too. */
  InnerCalls.Answer ask(Call outer, InnerRequest request) throws InterruptedException {
    InnerCalls.Answer answer = routes.ask(outer, request);
    var links = new DecisionLinks(outer.hapax().approvals()::isLink);
    return new InnerCalls.Answer(answer.status(), links.hidden(answer.body()), answer.headers());
  }
}
