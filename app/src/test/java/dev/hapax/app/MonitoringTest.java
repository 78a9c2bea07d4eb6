package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.PublicTools.Said;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The figures of a server say what is open and what went wrong, the log has a line for it, and the
 * files in {@code docs/operate/monitoring} name only figures that there are.
 */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class MonitoringTest {
  private static final Path FILES =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/operate/monitoring").normalize();
  private static final Pattern NAME = Pattern.compile("\\b(?:hapax|jvm|process)_[a-z_]+");

  private static final List<String> FLOWS =
      List.of(
          """
          flow: ask
          key: ${input.id}
          steps:
            - id: release
              approval: {ask: "Send ${input.id}?", roles: [finance], expires: 3d, onExpire: reject}
          """,
          """
          flow: doomed
          key: ${input.id}
          steps:
            - id: sold-out
              fail: {code: sold-out, message: "There is none left of ${input.id}."}
          """,
          """
          flow: lost
          key: ${input.id}
          steps:
            - id: page
              http: {connection: pager, method: POST, path: /pages, body: {text: "${input.id}"}}
              effect: {kind: notify, key: "${input.id}", guard: none}
          """,
          """
          flow: one-at-a-time
          key: ${input.id}
          concurrency: {limit: 1, overflow: queue}
          steps:
            - {id: pause, wait: {for: 1h}}
          """,
          """
          flow: intake
          key: ${input.id}
          triggers:
            - queue: {connection: not-there, queue: orders, name: incoming}
          steps:
            - {id: note, set: {id: "${input.id}"}}
          """);

  @TempDir Path folder;

  @Test
  void figures_and_log_say_what_is_open_and_what_went_wrong() throws Exception {
    try (var server = new ServerProcess(folder, List.of(), "metrics.public=false")) {
      HttpServer pager = deafPager();
      try {
        fill(server, pager);

        String figures = scrape(server);

        assertThat(figures)
            .contains("hapax_runs{flow=\"ask\",status=\"waiting\"} 2.0")
            .contains("hapax_runs{flow=\"one-at-a-time\",status=\"waiting\"} 1.0")
            .contains("hapax_runs{flow=\"one-at-a-time\",status=\"queued\"} 2.0")
            .contains("hapax_runs{flow=\"lost\",status=\"review\"} 1.0")
            .doesNotContain("flow=\"doomed\",status=\"running\"")
            .contains("hapax_effects_open{state=\"review\"} 1.0")
            .contains("hapax_effects_open{state=\"doubt\"} 0.0")
            .contains("hapax_approvals_open 2.0")
            .contains("hapax_line_length 2.0")
            .contains("hapax_breakers{state=\"open\"} 0.0")
            .contains("hapax_runs_troubled_total{flow=\"doomed\",status=\"failed\"} 1.0")
            .contains("hapax_runs_troubled_total{flow=\"lost\",status=\"review\"} 1.0")
            .contains("hapax_duplicates_stopped_total{door=\"start\"} 1.0")
            .contains("hapax_queue_messages_total{queue=\"incoming\"} 0.0")
            .contains("hapax_queue_lag{queue=\"incoming\"} NaN")
            .containsPattern("hapax_commits_seconds_bucket\\{le=\"0.01\"\\} [1-9]")
            .containsPattern("(?m)^hapax_approvals_oldest_age_seconds [0-9.]*[1-9]");
        assertNamesExist(figures);
        server.stop();
        assertThat(server.log())
            .containsOnlyOnce("ended as failed: sold-out: There is none left of A-1.")
            .containsOnlyOnce("waits for a person")
            .contains("code=sold-out")
            .contains("flow=lost");
      } finally {
        pager.stop(0);
      }
    }
  }

  /** Two questions, a failure, a review, a line of two, and a duplicate. */
  private static void fill(ServerProcess server, HttpServer pager) throws Exception {
    String connection =
        "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
            .formatted(pager.getAddress().getPort());
    ServerCalls.must(server.ask(server.token(), "PUT", "/api/connections/pager", connection));
    for (String flow : FLOWS) {
      server.release(server.token(), flow);
    }
    start(server, "ask", "A-1", "waiting");
    start(server, "ask", "A-2", "waiting");
    start(server, "doomed", "A-1", "failed");
    start(server, "lost", "A-1", "review");
    start(server, "one-at-a-time", "A-1", "waiting");
    start(server, "one-at-a-time", "A-2", "queued");
    start(server, "one-at-a-time", "A-3", "queued");
    start(server, "one-at-a-time", "A-3", "queued");
    awaitDuplicate(server);
  }

  private static void start(ServerProcess server, String flow, String id, String status)
      throws Exception {
    ServerCalls.Reply run =
        ServerCalls.must(
            server.ask(
                server.token(),
                "POST",
                "/api/flows/%s/runs".formatted(flow),
                "{\"id\": \"%s\"}".formatted(id)));
    String path = "/api/runs/" + run.at("/id");
    while (!server.get(server.token(), path).at("/status").equals(status)) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** Its count is written in a later commit, which is then also in the figures. */
  private static void awaitDuplicate(ServerProcess server) throws Exception {
    while (!server
        .get(server.token(), "/api/runs?flow=one-at-a-time&key=A-3")
        .text()
        .contains("\"duplicates\":1")) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  private static String scrape(ServerProcess server) throws Exception {
    return ServerCalls.must(server.get(server.token(), "/metrics")).text();
  }

  /** Takes every page and answers none. */
  private static HttpServer deafPager() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void assertNamesExist(String figures) throws IOException {
    Set<String> known =
        figures
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.replaceFirst("[ {].*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    for (String file : List.of("alerts.yaml", "dashboard.json")) {
      List<String> used =
          NAME.matcher(Files.readString(FILES.resolve(file)))
              .results()
              .map(MatchResult::group)
              .toList();
      assertThat(used).as(file).isNotEmpty();
      assertThat(known).as("the figures that %s names", file).containsAll(used);
    }
  }

  @Test
  void figures_that_everyone_may_read_name_no_flow() throws Exception {
    try (var server = new ServerProcess(folder, List.of(), "metrics.public=true")) {
      server.release(server.token(), FLOWS.getFirst());
      server.release(server.token(), FLOWS.get(1));
      start(server, "ask", "A-1", "waiting");
      start(server, "doomed", "A-1", "failed");

      String figures = server.get(null, "/metrics").text();

      assertThat(figures)
          .contains("hapax_runs{flow=\"others\",status=\"waiting\"} 1.0")
          .doesNotContain("\"ask\"")
          .doesNotContain("doomed");
    }
  }

  @Test
  void every_expression_of_the_dashboard_is_in_a_panel_with_a_title() throws IOException {
    var titles = new ArrayList<String>();
    Json.tree(Files.readString(FILES.resolve("dashboard.json")))
        .path("panels")
        .forEach(
            panel -> {
              titles.add(panel.path("title").asString());
              assertThat(panel.path("targets").size()).isPositive();
            });

    assertThat(titles).doesNotHaveDuplicates().hasSizeGreaterThan(10).doesNotContain("");
  }

  @Test
  void promtool_accepts_the_rules() throws Exception {
    Said said = PublicTools.promtoolOfRules(FILES.resolve("alerts.yaml"));

    assertThat(said.exit()).as(said.out()).isZero();
  }
}
