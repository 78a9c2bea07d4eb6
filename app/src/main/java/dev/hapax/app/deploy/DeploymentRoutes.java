package dev.hapax.app.deploy;

import dev.hapax.Kv;
import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.secret.ConnectionBatch;
import dev.hapax.app.wire.Page;
import dev.hapax.time.Clock;
import java.util.List;

/**
 * {@code /api/deployments}: a folder of flows, connections and alerts, planned and made live at
 * once.
 */
public final class DeploymentRoutes {
  /** A thousand files of usual size. */
  private static final int LARGEST_BODY = 8 << 20;

  private final Deployments deployments;
  private final boolean alwaysByTwo;

  /**
   * The routes of a server.
   *
   * @param map the server's own, out of reach of flows
   * @param alwaysByTwo whether every deployment needs the approval of another person
   */
  public DeploymentRoutes(
      Kv map,
      FlowBatch flows,
      ConnectionBatch connections,
      TenantAlerts alerts,
      AuditTrail audit,
      Clock clock,
      boolean alwaysByTwo) {
    this.deployments = new Deployments(map, flows, connections, alerts, audit, clock);
    this.alwaysByTwo = alwaysByTwo;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/deployments/plan",
                TokenScope.FLOWS_READ,
                "Compare a folder of flows and connections with the server",
                this::plan)
            .about(FlowSubject.LISTED)
            .largestBody(LARGEST_BODY)
            .takes(DeployBody.class)
            .gives(200, PlanView.class),
        Route.post(
                "/api/deployments",
                TokenScope.FLOWS_WRITE,
                "Carry out a plan: release, and make everything live in one commit",
                this::deploy)
            .about(FlowSubject.LISTED)
            .largestBody(LARGEST_BODY)
            .takes(DeployBody.class)
            .gives(201, DeploymentView.class)
            .gives(200, DeploymentView.class),
        Route.get(
                "/api/deployments",
                TokenScope.FLOWS_READ,
                "List deployments, newest first",
                this::list)
            .about(FlowSubject.LISTED)
            .givesPage(DeploymentView.class),
        Route.get("/api/deployments/{number}", TokenScope.FLOWS_READ, "Get a deployment", this::get)
            .about(FlowSubject.LISTED)
            .gives(200, DeploymentView.class),
        Route.post(
                "/api/deployments/{number}/approve",
                TokenScope.FLOWS_WRITE,
                "Make a pending deployment live, as another person than its author",
                this::approve)
            .about(FlowSubject.LISTED)
            .gives(200, DeploymentView.class));
  }

  private RouteAnswer plan(Call call) {
    DeployBody body = call.json(DeployBody.class);
    return RouteAnswer.ok(deployments.plan(call, body.content(call.json(), alwaysByTwo)));
  }

  private RouteAnswer deploy(Call call) {
    DeployBody body = call.json(DeployBody.class);
    String plan = body.plan();
    if (plan == null) {
      throw Problem.invalidInput(
          "plan: expected the hash of a plan, got nothing. POST /api/deployments/plan makes one");
    }
    Deployments.Outcome outcome =
        deployments.deploy(call, body.content(call.json(), alwaysByTwo), plan);
    Deployment made = outcome.deployment();
    if (made == null) {
      return RouteAnswer.ok(DeploymentView.unchanged(outcome.plan()));
    }
    return outcome.isNew()
        ? RouteAnswer.created(view(call, made), "/api/deployments/" + made.number())
        : RouteAnswer.ok(view(call, made)).header("Idempotent-Replayed", "true");
  }

  private DeploymentView view(Call call, Deployment one) {
    int applied = deployments.book().head(call.actor().tenant()).value().applied();
    return DeploymentView.of(one, applied, call::mayUse);
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    int limit = call.limit();
    List<Deployment> found =
        deployments
            .book()
            .newest(
                call.actor().tenant(),
                after == null ? Integer.MAX_VALUE : number(after),
                limit + 1);
    return RouteAnswer.ok(
        Page.of(
            found,
            limit,
            one -> isVisible(call, one),
            one -> view(call, one),
            one -> Integer.toString(one.number())));
  }

  /** A limited token sees the deployments that have one of its flows. */
  private static boolean isVisible(Call call, Deployment one) {
    return call.actor().flows().isAll()
        || one.flows().stream().anyMatch(part -> call.mayUse(part.flow()));
  }

  private RouteAnswer get(Call call) {
    return RouteAnswer.ok(view(call, find(call)));
  }

  private Deployment find(Call call) {
    String text = call.path("number");
    Stored<Deployment> found =
        text.matches("[1-9][0-9]{0,8}")
            ? deployments.book().find(call.actor().tenant(), number(text))
            : null;
    if (found == null || !isVisible(call, found.value())) {
      throw Problem.notFound("there is no such deployment");
    }
    return found.value();
  }

  private RouteAnswer approve(Call call) {
    Deployment approved = deployments.approve(call, find(call).number());
    return RouteAnswer.ok(view(call, approved));
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("expected the number of a deployment");
    }
  }
}
