package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing but the method in the first line decides which route is called. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MethodAttackTest {
  private static final List<String> OVERRIDES =
      List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method");
  private static final List<String> UNKNOWN =
      List.of("BEFORE", "AFTER", "BEFORE_MATCHED", "get", "Delete", "CONNECT", "PATCH", "TRACE");

  private static int attempts;
  private static final List<String> WRONG = new ArrayList<>();

  @Test
  void no_request_is_taken_for_another_method_than_its_own(@TempDir Path folder) throws Exception {
    try (var routes = ProbedRoutes.in(folder);
        var peer = new RawPeer(routes.address())) {
      for (Route route : routes.all()) {
        override(routes, peer, route);
        askForHead(peer, route);
        inventMethods(routes, peer, route);
      }
    }
    assertThat(WRONG).isEmpty();
    AttackTable.held(MethodAttackTest.class, "Replaced methods, HEAD, unknown methods", attempts);
  }

  /** As an admin, so that only the method keeps the request from the route. */
  private static void override(ProbedRoutes routes, RawPeer peer, Route route) throws Exception {
    for (Method sent : Method.values()) {
      if (sent == route.method()) {
        continue;
      }
      for (String override : OVERRIDES) {
        String target =
            ProbedRoutes.concrete(route)
                + (override.equals("_method") ? "?_method=" + route.method() : "");
        String header = override.equals("_method") ? "" : override + ": " + route.method() + "\r\n";
        RawPeer.Answer answer =
            peer.ask(
                sent.name(), target, ProbedRoutes.head("admin") + header + "Content-Length: 0\r\n");
        Route reached = routes.reached(answer);
        tellIf(
            reached != null && reached.method() != sent,
            "%s with %s reached %s".formatted(sent, override, reached));
      }
    }
  }

  private static void askForHead(RawPeer peer, Route route) throws Exception {
    if (route.method() != Method.GET || route.scope() == TokenScope.PUBLIC) {
      return;
    }
    TokenScope other =
        route.scope() == TokenScope.KV_READ ? TokenScope.RUNS_READ : TokenScope.KV_READ;
    String path = ProbedRoutes.concrete(route);
    int open = peer.ask("HEAD", path, ProbedRoutes.head(null)).status();
    tellIf(open != 401, "HEAD %s without a token: %d".formatted(path, open));
    int unknown = peer.ask("HEAD", path, ProbedRoutes.head("guess")).status();
    tellIf(unknown != 401, "HEAD %s with a wrong token: %d".formatted(path, unknown));
    int wrong = peer.ask("HEAD", path, ProbedRoutes.head(other.word())).status();
    int expected = route.scope().isAllowedBy(Set.of(other)) ? 200 : 403;
    tellIf(wrong != expected, "HEAD %s with another scope: %d".formatted(path, wrong));
    int good = peer.ask("HEAD", path, ProbedRoutes.head(route.scope().word())).status();
    assertThat(good).as("HEAD %s with its scope", path).isEqualTo(200);
  }

  private static void inventMethods(ProbedRoutes routes, RawPeer peer, Route route)
      throws Exception {
    for (String method : UNKNOWN) {
      RawPeer.Answer answer =
          peer.ask(method, ProbedRoutes.concrete(route), ProbedRoutes.head("admin"));
      tellIf(
          routes.reached(answer) != null || (answer.status() < 400 && answer.status() > 0),
          "%s %s: %s".formatted(method, route, answer));
    }
  }

  private static void tellIf(boolean isWrong, String what) {
    attempts++;
    if (isWrong) {
      WRONG.add(what);
    }
  }
}
