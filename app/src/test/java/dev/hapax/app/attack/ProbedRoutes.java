package dev.hapax.app.attack;

import dev.hapax.Hapax;
import dev.hapax.app.TestServer;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.HostRule;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.TokenScope;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All routes of the real server, each answered by its own name, so that an attack can see what it
 * has reached. The word of a scope is a token that has this scope only.
 */
public final class ProbedRoutes implements AutoCloseable {
  private final List<Route> routes;
  private final Server server;

  private ProbedRoutes(List<Route> routes, HostRule hosts) {
    this.routes = List.copyOf(routes);
    this.server =
        Server.start(
            new Routes(routes, ProbedRoutes::actor, _ -> none(), () -> false),
            Server.Place.at("127.0.0.1", 0).hosts(hosts));
  }

  /** Starts them for any host. */
  public static ProbedRoutes in(Path folder) throws IOException {
    return in(folder, HostRule.ANY);
  }

  static ProbedRoutes in(Path folder, HostRule hosts) throws IOException {
    List<Route> probes = new ArrayList<>();
    try (var real = new TestServer(folder)) {
      for (Route route : real.routes()) {
        probes.add(
            new Route(
                route.method(),
                route.path(),
                route.scope(),
                route.summary(),
                _ -> RouteAnswer.ok(Map.of("reached", route.toString()))));
      }
    }
    return new ProbedRoutes(probes, hosts);
  }

  /** Starts them once more, for other hosts. */
  ProbedRoutes with(HostRule hosts) {
    return new ProbedRoutes(routes, hosts);
  }

  private static Hapax none() {
    throw new AssertionError("no handler is reached");
  }

  private static @Nullable Actor actor(String token) {
    return Stream.of(TokenScope.values())
        .filter(scope -> scope.word().equals(token))
        .map(scope -> new Actor(token, "acme", Set.of(scope), Set.of()))
        .findFirst()
        .orElse(null);
  }

  public List<Route> all() {
    return routes;
  }

  public URI address() {
    return server.address();
  }

  /** Returns the route that has answered; null if none has. */
  @Nullable Route reached(RawPeer.Answer answer) {
    if (answer.status() != 200) {
      return null;
    }
    return routes.stream()
        .filter(route -> answer.body().contains("\"" + route + "\""))
        .findFirst()
        .orElseThrow(() -> new AssertionError("answered by no route: " + answer));
  }

  /** Returns the path with a word in the place of each parameter. */
  public static String concrete(Route route) {
    return route.path().replaceAll("\\{\\+?[a-zA-Z]+}", "x");
  }

  static String head(@Nullable String token) {
    return "Host: 127.0.0.1\r\n" + (token == null ? "" : "Authorization: Bearer " + token + "\r\n");
  }

  @Override
  public void close() {
    server.close();
  }
}
