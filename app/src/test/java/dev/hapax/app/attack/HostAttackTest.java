package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.HostRule;
import dev.hapax.app.http.Route;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A request for a host that the server does not serve reaches no route. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostAttackTest {
  /** Heads that name another host, or hide it. */
  private static final List<String> HOSTILE =
      List.of(
          "Host: evil.example\r\n",
          "Host: evil.example:80\r\n",
          "Host: localhost.evil.example\r\n",
          "Host: 127.0.0.1.evil.example\r\n",
          "Host: evil.example#localhost\r\n",
          "Host: localhost@evil.example\r\n",
          "Host: evil.example\r\nX-Forwarded-Host: localhost\r\n",
          "Host: evil.example\r\nForwarded: host=localhost\r\n",
          "Host: evil.example\r\nHost: localhost\r\n",
          "Host: localhost\r\nHost: evil.example\r\n",
          "Host: evil.example, localhost\r\n",
          "Host: 2130706433\r\n",
          "Host: [evil]\r\n",
          "Host: localhost:8899.evil.example\r\n",
          "Host:\r\n",
          "X-Host: localhost\r\n");

  private int attempts;

  @Test
  void a_page_of_another_site_reaches_no_route(@TempDir Path folder) throws Exception {
    var wrong = new ArrayList<String>();
    try (var local = ProbedRoutes.in(folder, HostRule.of("127.0.0.1", List.of()));
        var open = local.with(HostRule.of("0.0.0.0", List.of("*.hapax.example")))) {
      attack(local, "Host: 10.1.2.3\r\n", wrong);
      for (String head : HOSTILE) {
        attack(local, head, wrong);
      }
      try (var peer = new RawPeer(local.address())) {
        assertThat(peer.ask("GET", "/healthz", "Host: LOCALHOST:1\r\n").status()).isEqualTo(200);
      }
      for (String head : HOSTILE) {
        if (!head.equals("Host:\r\n")) { // an empty host is no name of another site
          attack(open, head, wrong);
        }
      }
      attack(open, "Host: hapax.example.evil.example\r\n", wrong);
      try (var peer = new RawPeer(open.address())) {
        for (String good : List.of("10.1.2.3:80", "[fd00::1]", "a.hapax.example", "localhost")) {
          assertThat(peer.ask("GET", "/healthz", "Host: " + good + "\r\n").status()).isEqualTo(200);
        }
        assertThat(peer.send("GET /healthz HTTP/1.0\r\n\r\n", false).status()).isEqualTo(200);
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(HostAttackTest.class, "Foreign hosts on every route", attempts);
  }

  private void attack(ProbedRoutes routes, String head, List<String> wrong) throws Exception {
    try (var peer = new RawPeer(routes.address())) {
      for (Route route : routes.all()) {
        attempts++;
        String target = ProbedRoutes.concrete(route);
        RawPeer.Answer answer =
            peer.ask(
                route.method().name(),
                attempts % 2 == 0 ? target : "http://evil.example" + target,
                head + "Authorization: Bearer admin\r\nContent-Length: 0\r\n");
        if (answer.status() != 400 && answer.status() != 403) {
          wrong.add("%s%s: %s".formatted(head, target, answer));
        }
      }
    }
  }
}
