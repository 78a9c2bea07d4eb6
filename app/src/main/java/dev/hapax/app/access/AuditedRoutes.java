package dev.hapax.app.access;

import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Handler;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes calls of routes into the audit log: of all routes that change something, except those
 * whose calls are work and not decisions (they have their own histories). The line is durable
 * before the call is carried out, as an intent is before its effect, so every action leaves a line.
 */
public final class AuditedRoutes {
  private static final Set<Scope> WORK =
      Set.of(
          Scope.PUBLIC, Scope.RUNS_WRITE, Scope.KV_WRITE, Scope.RESOURCES_WRITE, Scope.INBOX_WRITE);

  private AuditedRoutes() {}

  /** Returns the same routes; those that are audited append to the log. */
  public static List<Route> by(AuditLog log, List<Route> routes) {
    return routes.stream().map(route -> isWatched(route) ? watched(route, log) : route).toList();
  }

  static boolean isWatched(Route route) {
    return route.method() != Method.GET && !WORK.contains(route.scope());
  }

  private static Route watched(Route route, AuditLog log) {
    Handler handler =
        call -> {
          Actor actor = call.actor();
          String target = target(route, call);
          log.append(actor.tenant(), actor.name(), route.toString(), target, "asked");
          try {
            return route.handler().handle(call);
          } catch (Problem refused) {
            log.append(
                actor.tenant(),
                actor.name(),
                route.toString(),
                target,
                "refused: " + refused.name());
            throw refused;
          }
        };
    return route.answeredBy(handler);
  }

  private static String target(Route route, Call call) {
    return route.parameters().stream()
        .map(name -> name + "=" + call.path(name))
        .collect(Collectors.joining(", "));
  }
}
