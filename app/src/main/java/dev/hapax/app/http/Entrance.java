package dev.hapax.app.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of every request before a route is looked for: its method and its host. */
final class Entrance {
  /** Others are unknown to HTTP; the library would take some as names of its own hooks. */
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE");

  private final HostRule hosts;

  Entrance(HostRule hosts) {
    this.hosts = hosts;
  }

  /** Returns the request for the routes; null if it was refused and has its answer. */
  @Nullable HttpServletRequest admit(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Problem problem = problemOf(request);
    if (problem != null) {
      refuse(problem, response);
      return null;
    }
    return new MethodAsSent(request);
  }

  private @Nullable Problem problemOf(HttpServletRequest request) {
    if (!METHODS.contains(request.getMethod())) {
      return Problem.of("method-not-allowed", 501, "the method of the request is unknown");
    }
    String host = request.getHeader("Host");
    if (!hosts.takes(host) || !hosts.takes(request.getServerName())) {
      return Problem.forbidden(
          "this server does not serve host '%s': use its own name, or add this one to the setting http.hosts"
              .formatted(host == null ? "" : HostRule.nameIn(host)));
    }
    return null;
  }

  static void refuse(Problem problem, HttpServletResponse response) throws IOException {
    RouteAnswer answer = problem.answer();
    response.setStatus(answer.status());
    response.setHeader(BrowserRule.HEADER, BrowserRule.VALUE);
    answer.headers().forEach(response::setHeader);
    response.setContentType("application/problem+json");
    response.getOutputStream().write(Bodies.write(problem.body()));
  }

  /** Hides the header by which a client could replace the method: only the method counts. */
  private static final class MethodAsSent extends HttpServletRequestWrapper {
    private static final String OVERRIDE = "X-HTTP-Method-Override";

    MethodAsSent(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable String getHeader(String name) {
      return OVERRIDE.equalsIgnoreCase(name) ? null : super.getHeader(name);
    }
  }
}
