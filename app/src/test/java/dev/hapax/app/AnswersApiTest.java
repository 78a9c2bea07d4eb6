package dev.hapax.app;

import static dev.hapax.app.RunApiTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What answers runs, and what is beside them, over HTTP. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswersApiTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Reply begin(String flow, String id) {
    return server.post("/api/flows/" + flow + "/runs", "{\"id\": \"%s\"}".formatted(id));
  }

  private static Reply ended(String flow, String id) {
    return server.post(
        "/api/flows/" + flow + "/runs", "{\"id\": \"%s\"}".formatted(id), "Prefer", "wait=20");
  }

  /** A start is answered when the run is durable, which may be before it asks. */
  private static Reply approvalsWith(String run) {
    Reply list = server.get("/api/approvals?state=open");
    while (!list.at("/items").contains(run)) {
      LockSupport.parkNanos(5_000_000); // the test's own time limit ends this
      list = server.get("/api/approvals?state=open");
    }
    return list;
  }

  private static Reply withoutToken(String path, String json) {
    return server.send(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  @Test
  void the_first_callback_counts_and_every_later_one_hears_it() {
    String run = begin("tell", "c-1").at("/id");
    String history = "";
    while (!history.contains("/api/callbacks/")) {
      history = server.get("/api/runs/" + run + "/history").at("/items");
    }
    String token = history.replaceAll("(?s).*api/callbacks/([a-z0-9]+).*", "$1");
    String path = "/api/callbacks/" + token;

    assertProblem(withoutToken(path, "{\"no\": 1}"), 400, "invalid-input");
    Reply first = withoutToken(path, "{\"ok\": 1}");
    Reply second = withoutToken(path, "{\"ok\": 2}");

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.at("/first")).isEqualTo("true");
    assertThat(second.at("/first")).isEqualTo("false");
    assertThat(second.at("/decision")).isEqualTo("{\"ok\":1}");
    assertThat(ended("tell", "c-1").at("/output/answer")).isEqualTo("{\"ok\":1}");
    assertProblem(withoutToken("/api/callbacks/guessed", "{}"), 404, "not-found");
    assertThat(server.get(path).status()).isEqualTo(405);
  }

  @Test
  void people_decide_and_later_ones_hear_the_first_decision() {
    String run = begin("ask", "a-1").at("/id");
    Reply list = approvalsWith(run);
    String id = list.at("/items/0/id");
    assertThat(list.at("/items/0/run")).isEqualTo(run);

    assertProblem(
        server.post("/api/approvals/" + id, "{\"decision\": \"perhaps\"}"), 400, "invalid-input");
    assertProblem(
        server.post("/api/approvals/" + id, "{\"decision\": \"rework\"}"), 409, "not-possible");
    Reply first =
        server.post("/api/approvals/" + id, "{\"decision\": \"approve\", \"comment\": \"ok\"}");
    Reply second = server.post("/api/approvals/" + id, "{\"decision\": \"reject\"}");

    assertThat(first.at("/first")).isEqualTo("true");
    assertThat(second.at("/first")).isEqualTo("false");
    assertThat(second.at("/decision/decision")).isEqualTo("approve");
    assertThat(second.at("/decision/by")).isEqualTo("admin");
    assertThat(ended("ask", "a-1").at("/output/decision")).isEqualTo("approve");
    assertThat(server.get("/api/approvals/" + id).at("/state")).isEqualTo("decided");
    assertProblem(server.get("/api/approvals/w-zzz"), 404, "not-found");
  }

  @Test
  void the_page_behind_a_link_shows_on_get_and_decides_on_post() throws Exception {
    String run = begin("ask", "a-2").at("/id");
    Reply list = approvalsWith(run);
    String link = "";
    for (var item : list.body().get("items")) {
      if (item.get("run").stringValue().equals(run)) {
        link = URI.create(item.get("link").stringValue()).getPath();
      }
    }

    var shown = page(HttpRequest.newBuilder(URI.create(server.address() + link)));
    assertThat(shown.raw().body()).contains("Send &lt;b&gt;a-2&lt;/b&gt;?", "<form");
    assertThat(shown.header("Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(server.get("/api/approvals").at("/items")).contains(run);
    var decided =
        page(
            HttpRequest.newBuilder(URI.create(server.address() + link))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("decision=approve&name=Ann+B&comment=")));
    assertThat(decided.raw().body()).contains("Decided: approve by Ann B (by link)");
    assertThat(ended("ask", "a-2").at("/output/by")).isEqualTo("Ann B (by link)");
    var guessed =
        page(HttpRequest.newBuilder(URI.create(server.address() + "/approvals/w-1.guessed")));
    assertThat(guessed.status()).isEqualTo(404);
  }

  @Test
  void a_link_that_a_flow_sends_shows_on_get_and_decides_once_on_post() throws Exception {
    String flow =
        """
        flow: linked
        key: ${input.id}
        steps:
          - id: note
            kv: {put: {key: "link/${input.id}", value: "${approval('release', 'ann@example.org').url}"}}
          - id: release
            approval: {ask: "Send ${input.id}?", roles: [finance], expires: 1d}
        output: {by: "${steps.release.output.by}", claimed: "${steps.release.output.claimed}"}
        """;
    server.release(flow);
    String run = begin("linked", "l-1").at("/id");
    approvalsWith(run);
    String link = URI.create(server.get("/api/kv/link/l-1").at("/value")).getPath();

    var shown = page(HttpRequest.newBuilder(URI.create(server.address() + link)));
    assertThat(shown.raw().body()).contains("Send l-1?", "You decide as ann@example.org.");
    assertThat(approvalsWith(run).at("/items")).as("a GET decides nothing").contains(run);
    var decided = page(decision(link, "decision=approve&name=Eve"));
    var again = page(decision(link, "decision=reject&name=Eve"));

    assertThat(decided.raw().body())
        .contains("Decided: approve by ann@example.org (by link), an identity that is claimed");
    assertThat(again.raw().body()).contains("Decided: approve");
    assertThat(ended("linked", "l-1").at("/output/by")).isEqualTo("ann@example.org (by link)");
    assertThat(ended("linked", "l-1").at("/output/claimed")).isEqualTo("true");
    assertThat(page(decision("/approvals/" + "a".repeat(52), "decision=approve")).status())
        .isEqualTo(404);
    assertThat(withoutToken("/api/callbacks/" + link.replaceAll(".*/", ""), "{}").status())
        .as("a link is no callback")
        .isEqualTo(404);
  }

  @Test
  void a_link_that_is_opened_before_its_run_asks_decides_nothing() throws Exception {
    String flow =
        """
        flow: early
        key: ${input.id}
        steps:
          - id: note
            kv: {put: {key: "link/${input.id}", value: "${approval('release').url}"}}
          - id: pause
            wait: {for: 1h}
          - id: release
            approval: {ask: "Send ${input.id}?", expires: 1d, requireToken: true}
        """;
    server.release(flow);
    begin("early", "e-1");
    Reply value = server.get("/api/kv/link/e-1");
    while (value.status() != 200) {
      value = server.get("/api/kv/link/e-1");
    }
    String link = URI.create(value.at("/value")).getPath();

    var shown = page(HttpRequest.newBuilder(URI.create(server.address() + link)));
    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.raw().body()).contains("Nothing is asked yet");
    assertProblem(page(decision(link, "decision=approve&name=Eve")), 409, "not-possible");
  }

  private static HttpRequest.Builder decision(String link, String form) {
    return HttpRequest.newBuilder(URI.create(server.address() + link))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form));
  }

  private static Reply page(HttpRequest.Builder request) {
    return server.send(request);
  }

  @Test
  void the_durable_map_is_read_and_written() {
    Reply put = server.put("/api/kv/shop/rate", "{\"value\": {\"eur\": 1.10}}");
    Reply got = server.get("/api/kv/shop%2Frate");

    assertThat(put.at("/written")).isEqualTo("true");
    assertThat(got.at("/value")).isEqualTo("{\"eur\":1.10}");
    assertThat(got.at("/version")).isEqualTo(put.at("/version"));
    assertProblem(server.put("/api/kv/shop/rate", "{\"value\": 1, \"version\": 0}"), 409, "stale");
    String swap = "{\"value\": 2, \"version\": %s, \"ttl\": \"1h\"}".formatted(got.at("/version"));
    assertThat(server.put("/api/kv/shop/rate", swap).status()).isEqualTo(200);
    assertProblem(server.put("/api/kv/shop/rate", swap), 409, "stale");
    assertThat(server.get("/api/kv?prefix=shop/").at("/items/0/value")).isEqualTo("2");
    String move = "{\"value\": 3, \"from\": [2.0, null]}";
    assertThat(server.put("/api/kv/shop/rate", move).at("/value")).isEqualTo("3");
    assertProblem(server.put("/api/kv/shop/rate", move), 409, "stale");
    assertProblem(
        server.put("/api/kv/shop/rate", "{\"value\": 3, \"from\": [3], \"version\": 1}"),
        400,
        "invalid-input");
    Reply open = server.put("/api/kv/shop/rate", "{\"value\": 4, \"from\": null}");
    assertProblem(open, 400, "invalid-input");
    assertThat(open.at("/detail")).contains("from: expected a list of values");
    assertThat(server.get("/api/kv/shop/rate").at("/value")).isEqualTo("3");
    assertThat(server.delete("/api/kv/shop/rate").at("/written")).isEqualTo("true");
    assertProblem(server.get("/api/kv/shop/rate"), 404, "not-found");
  }

  @Test
  void entries_of_hapax_itself_are_not_written_by_callers() {
    Reply put = server.put("/api/kv/hapax/alerts/leads/x", "{\"value\": \"closed\"}");

    assertProblem(put, 400, "invalid-input");
    assertThat(put.at("/detail")).contains("reserved for Hapax", "Choose another key");
    assertProblem(server.delete("/api/kv/hapax%2Falerts%2Fleads%2Fx"), 400, "invalid-input");
    assertThat(server.get("/api/kv?prefix=hapax/").status()).isEqualTo(200);
  }

  @Test
  void a_resource_is_stored_once_and_downloaded() {
    var upload =
        server
            .request("/api/resources")
            .setHeader("Content-Type", "text/html")
            .POST(BodyPublishers.ofByteArray(new byte[2_000_000]));
    Reply put = server.send(upload);
    Reply got = server.get(String.valueOf(put.header("Location")));

    assertThat(put.status()).isEqualTo(201);
    assertThat(put.at("/ref")).startsWith("res://");
    assertThat(got.raw().body()).hasSize(2_000_000);
    assertThat(got.header("Content-Disposition")).isEqualTo("attachment");
    assertThat(got.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertProblem(server.get("/api/resources/nonsense"), 404, "not-found");
  }

  @Test
  void events_say_what_becomes_of_runs_and_continue_where_they_ended() throws Exception {
    String id;
    try (var first = events("")) {
      Iterator<String> lines = first.iterator();
      assertThat(lines.next()).isEqualTo("retry: 1000");
      String run = begin("free", "e").at("/id");
      id = next(lines, "id: ");
      assertThat(next(lines, "data: ")).contains(run, "\"flow\":\"free\"");
    }
    String run = begin("free", "e").at("/id");
    try (var second = events(id)) {
      Iterator<String> lines = second.iterator();
      while (!next(lines, "data: ").contains(run)) {
        // what was left of the first run
      }
    }
    try (var lost = events("7")) {
      assertThat(next(lost.iterator(), "event: ")).isEqualTo("reset");
    }
    assertThat(next(lines("/metrics").iterator(), "hapax_runs_started_total ")).isNotEqualTo("0.0");
  }

  @Test
  void an_event_stream_ends_when_its_token_is_revoked() throws Exception {
    Reply made = server.post("/api/tokens", "{\"name\": \"reader\", \"scopes\": [\"runs:read\"]}");
    var request =
        server.request("/api/events").setHeader("Authorization", "Bearer " + made.at("/token"));
    var client = HttpClient.newHttpClient();
    try (var stream = client.send(request.build(), BodyHandlers.ofLines()).body()) {
      var over = new AtomicBoolean();
      Thread others =
          Thread.startVirtualThread(
              () -> {
                while (!over.get()) { // so that there are always events
                  begin("free", "e");
                  LockSupport.parkNanos(20_000_000);
                }
              });
      Iterator<String> lines = stream.iterator();
      next(lines, "data: ");
      assertThat(server.delete("/api/tokens/" + made.at("/id")).status()).isLessThan(300);

      lines.forEachRemaining(_ -> {}); // it ends by itself
      over.set(true);
      others.join();
    }
  }

  private static Stream<String> events(String lastEventId) throws Exception {
    var request = server.request("/api/events").setHeader("Last-Event-ID", lastEventId);
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines()).body();
  }

  private static Stream<String> lines(String path) {
    return server.get(path).raw().body().lines();
  }

  private static String next(Iterator<String> lines, String prefix) {
    while (true) {
      String line = lines.next();
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
    }
  }

  @Test
  void the_server_says_that_it_lives_and_is_ready() {
    assertThat(server.get("/healthz").status()).isEqualTo(200);
    assertThat(server.get("/readyz").at("/status")).isEqualTo("ok");
  }
}
