package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However a path is written, the route that answers is one that the caller's token allows. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PathTrickAttackTest {
  private static int attempts;

  @Test
  void no_trick_in_a_path_skips_a_scope(@TempDir Path folder) throws Exception {
    var wrong = new ArrayList<String>();
    try (var routes = ProbedRoutes.in(folder);
        var peer = new RawPeer(routes.address())) {
      for (Route route : routes.all()) {
        if (route.scope() == TokenScope.PUBLIC) {
          continue;
        }
        TokenScope other = otherThan(route.scope());
        for (String target : tricks(ProbedRoutes.concrete(route))) {
          attempt(routes, peer, route, target, null, wrong);
          attempt(routes, peer, route, target, other, wrong);
          attempt(routes, peer, route, target, route.scope(), wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(PathTrickAttackTest.class, "Path tricks on every route", attempts);
  }

  private static TokenScope otherThan(TokenScope scope) {
    return scope == TokenScope.SECRETS_WRITE ? TokenScope.KV_READ : TokenScope.SECRETS_WRITE;
  }

  private static void attempt(
      ProbedRoutes routes,
      RawPeer peer,
      Route route,
      String target,
      @Nullable TokenScope scope,
      List<String> wrong)
      throws Exception {
    attempts++;
    String token = scope == null ? null : scope.word();
    RawPeer.Answer answer =
        peer.ask(route.method().name(), target, ProbedRoutes.head(token) + "Content-Length: 0\r\n");
    Route reached = routes.reached(answer);
    boolean isAllowed =
        reached == null
            || (reached.scope() == TokenScope.PUBLIC && target.startsWith(beginOf(reached)))
            || (scope != null && reached.scope().isAllowedBy(Set.of(scope)));
    if (!isAllowed || answer.status() >= 500) {
      wrong.add("%s %s as %s: %s".formatted(route.method(), target, token, answer));
    }
  }

  /** A public route is reached only under its own name. */
  private static String beginOf(Route open) {
    return open.path().replaceFirst("\\{.*", "");
  }

  private static Set<String> tricks(String path) {
    String inside = path.substring(1);
    int slash = path.lastIndexOf('/');
    String parent = path.substring(0, slash);
    String last = path.substring(slash + 1);
    return new LinkedHashSet<>(
        List.of(
            // slashes
            "/" + path,
            path + "/",
            path + "//",
            path.replace("/", "//"),
            path.replace("/", "%2F").replaceFirst("%2F", "/"),
            parent + "%2f" + last,
            parent + "%252f" + last,
            path.replace("/", "\\").replaceFirst("\\\\", "/"),
            parent + "%5c" + last,
            // dots
            "/./" + inside,
            parent + "/./" + last,
            "/healthz/.." + path,
            "/healthz/%2e%2e" + path,
            "/healthz/%252e%252e" + path,
            "/healthz/..;" + path,
            "/healthz/..%2f" + inside,
            "/hooks/../" + inside,
            "/hooks/..%2f" + inside,
            "/hooks/%2e%2e/" + inside,
            "/hooks/..%c0%af" + inside,
            "/openapi.json/../" + inside,
            path + "/..",
            path + "/../" + last,
            path + "/%2e",
            // parameters, queries and fragments in a path
            path + ";a=b",
            path + ";/healthz",
            "/;a" + path,
            parent + ";a/" + last,
            path + "%3b/healthz",
            path + "%3f",
            path + "?x=/healthz",
            path + "%23/healthz",
            path + "#/healthz",
            // what other servers take for a public path
            path + "/healthz",
            path + ".json",
            path + "/openapi.json",
            "/healthz" + path,
            "/metrics" + path,
            // letters
            path.toUpperCase(Locale.ROOT),
            "/%61" + inside.substring(1),
            "/%2561" + inside.substring(1),
            path + "%00",
            path + "%00.json",
            path + "%20",
            path + "%0d%0aX-Role:%20admin",
            path + "%ff",
            path + "%u002f",
            path + ".",
            "http://127.0.0.1" + path,
            "http://127.0.0.1/healthz/.." + path,
            "*" + path,
            inside));
  }
}
