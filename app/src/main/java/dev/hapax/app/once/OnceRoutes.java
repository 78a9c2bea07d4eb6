package dev.hapax.app.once;

import dev.hapax.app.api.Preference;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.RunId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code POST /api/once}: an effect without a flow. */
public final class OnceRoutes {
  private final OnceDesk desk;
  private final AuditTrail audit;

  public OnceRoutes(OnceDesk desk, AuditTrail audit) {
    this.desk = desk;
    this.audit = audit;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/once",
                TokenScope.RUNS_WRITE,
                "Carry out an effect without a flow; the same call again gets the recorded result",
                this::once)
            .about(FlowSubject.SHARED)
            .takes(Body.class)
            .gives(201, OnceView.class)
            .gives(200, OnceView.class));
  }

  /** The body, for the OpenAPI document; the reader of flow files reads its parts. */
  private record Body(
      BodyEffect effect,
      String connection,
      @Nullable JsonNode http,
      @Nullable JsonNode db,
      @Nullable JsonNode email,
      @Nullable JsonNode publish,
      @Nullable String timeout,
      @Nullable JsonNode retry) {}

  private record BodyEffect(
      String name,
      String key,
      @Nullable JsonNode guard,
      @Nullable String kind,
      @Nullable String externalId,
      @Nullable String version) {}

  /** A start is work, and has its own history; a retry is a decision. */
  private static AuditTrail.Line retried(Actor caller, String address, RunId run) {
    return new AuditTrail.Line(
        caller.tenant(),
        caller.name(),
        caller.id(),
        address,
        "POST /api/once",
        "retries run=" + run,
        "asked");
  }

  private RouteAnswer once(Call call) {
    call.allowQuery();
    if (!call.mayUse(OnceFlow.NAME)) {
      throw Problem.forbidden(
          "the token of '%s' is limited to flows (%s), and %s is not among them"
              .formatted(call.actor().name(), call.actor().flows(), OnceFlow.NAME));
    }
    Duration wait = Preference.waitOr(call, OnceDesk.USUAL_WAIT);
    OnceRequest request = OnceRequest.of(call.json());
    call.forgetBody();
    OnceDesk.Answer got =
        desk.call(
            call.hapax(),
            call.actor(),
            request,
            wait,
            run -> audit.append(retried(call.actor(), call.remoteAddress(), run)));
    RouteAnswer answer =
        got.isNew()
            ? RouteAnswer.created(got.view(), "/api/runs/" + got.view().run())
            : RouteAnswer.ok(got.view()).header("Idempotent-Replayed", "true");
    return wait.isZero() ? answer : answer.header("Preference-Applied", "wait=" + wait.toSeconds());
  }
}
