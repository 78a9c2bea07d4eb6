package dev.hapax.app.access;

import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteHandler;
import dev.hapax.app.http.TokenScope;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes calls of routes into the audit log: of all routes that change something, except those
 * whose calls are work and not decisions (they have their own histories). The line is durable
 * before the call is carried out, as an intent is before its effect, so every action leaves a line.
 */
public final class AuditedRoutes {
  /** A public route has no caller; the one that decides writes its lines itself. */
  private static final Set<TokenScope> WORK =
      Set.of(TokenScope.PUBLIC, TokenScope.KV_WRITE, TokenScope.RESOURCES_WRITE);

  /** A start is work, too; a verification and a plan only read. */
  private static final Set<String> UNCHANGING =
      Set.of(
          "/api/flows/{flow}/runs",
          "/api/once",
          "/mcp", // what its tools do is audited as the routes that they call
          "/api/audit/verification",
          "/api/deployments/plan");

  private AuditedRoutes() {}

  /** Returns the same routes; those that are audited append to the log. */
  public static List<Route> by(AuditTrail log, List<Route> routes) {
    return routes.stream().map(route -> isAudited(route) ? audited(route, log) : route).toList();
  }

  static boolean isAudited(Route route) {
    return route.method() != Method.GET
        && !WORK.contains(route.scope())
        && !UNCHANGING.contains(route.path());
  }

  private static Route audited(Route route, AuditTrail log) {
    RouteHandler handler =
        call -> {
          var line =
              AuditTrail.Line.of(call.actor(), call.remoteAddress(), route, target(route, call));
          log.append(line);
          try {
            return route.handler().handle(call);
          } catch (RuntimeException refused) {
            log.append(line.refused(refused));
            throw refused;
          }
        };
    return route.answeredBy(handler);
  }

  private static String target(Route route, Call call) {
    Stream<String> path = route.parameters().stream().map(name -> name + "=" + call.path(name));
    return Stream.concat(path, AuditedTerms.of(route, call).stream())
        .collect(Collectors.joining(", "));
  }
}
