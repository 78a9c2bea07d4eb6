package dev.hapax.app.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The caller's own identity, and the sessions of browsers: log in, look, log out. */
final class SessionRoutes {
  private static final String PATH = "/api/session";
  private static final String BEARER = "Bearer ";

  private final BrowserSessions sessions;

  SessionRoutes(BrowserSessions sessions) {
    this.sessions = sessions;
  }

  /**
   * The caller.
   *
   * @param flows the names and labels of flows that it is limited to; absent for all flows
   * @param endsAt when its session ends; absent without a session
   * @param csrf the value of the header X-Hapax-CSRF; absent without a session
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SessionView(
      String name,
      String tenant,
      List<String> scopes,
      List<String> roles,
      @Nullable List<String> flows,
      @Nullable Instant endsAt,
      @Nullable String csrf) {
    static SessionView of(Actor actor, BrowserSessions.@Nullable Session session) {
      return new SessionView(
          actor.name(),
          actor.tenant(),
          actor.scopes().stream().map(TokenScope::word).sorted().toList(),
          actor.roles().stream().sorted().toList(),
          actor.flows().isAll() ? null : actor.flows().toStored(),
          session == null ? null : session.endsAt(),
          session == null ? null : session.proof());
    }
  }

  List<Route> routes() {
    return List.of(
        Route.post(PATH, TokenScope.ANY, "Begin a session of a browser with a token", this::begin)
            .about(FlowSubject.SHARED)
            .gives(201, SessionView.class),
        Route.get(PATH, TokenScope.ANY, "Get who calls, and what the caller may do", this::show)
            .about(FlowSubject.SHARED)
            .gives(200, SessionView.class),
        Route.delete(PATH, TokenScope.ANY, "End the session of a browser", this::end)
            .about(FlowSubject.SHARED)
            .gives(204, Void.class));
  }

  /** Only a credential begins a session: one that began another would never end. */
  private RouteAnswer begin(Call call) {
    String credential = call.header("Authorization");
    if (credential == null || !isBearer(credential)) {
      throw Problem.unauthorized("expected a token: 'Authorization: Bearer hapax_…'");
    }
    var session = sessions.begin(credential.substring(BEARER.length()).strip());
    return RouteAnswer.of(201, SessionView.of(call.actor(), session))
        .header("Set-Cookie", sessions.kept(session))
        .header("Cache-Control", "no-store");
  }

  private RouteAnswer show(Call call) {
    String header = call.header("Authorization");
    boolean isSession = header == null || !isBearer(header);
    return RouteAnswer.ok(
            SessionView.of(call.actor(), isSession ? sessions.find(call.header("Cookie")) : null))
        .header("Cache-Control", "no-store");
  }

  /** Another header, of a proxy for example, is none of ours. */
  private static boolean isBearer(String header) {
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  private RouteAnswer end(Call call) {
    call.allowQuery();
    return RouteAnswer.noContent().header("Set-Cookie", sessions.cleared());
  }
}
