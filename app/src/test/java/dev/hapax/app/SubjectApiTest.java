package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A person's data is exported and erased over HTTP, with comments, and leaves no trace in files.
 */
class SubjectApiTest {
  private static final String ANN = "ann-canary-4711";
  private static final String[] WAIT = {"Prefer", "wait=20"};

  private static final String TRIP =
      """
      flow: trip
      input: {type: object, properties: {id: {type: string}, person: {type: string, personal: true}}}
      subject: ${input.person}
      key: ${input.id}
      steps:
        - id: book
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
      output: {to: "${input.person}"}
      """;

  private static final String VISIT =
      """
      flow: visit
      input: {type: object, properties: {id: {type: string}, person: {type: string, personal: true}}}
      subject: ${input.person}
      searchable: {who: "${input.person}"}
      key: ${input.id}
      steps:
        - id: book
          call: {handler: charge, input: "${input.id} for ${input.person}"}
          effect: {kind: create, key: "${input.id}", guard: none}
        - id: tell
          call: {handler: charge, input: "tell ${input.person}"}
          effect: {kind: notify, key: "tell/${input.id}", guard: none}
        - id: end
          fail: {code: no-room, message: "no room for ${input.person}"}
      output: {to: "${input.person}"}
      """;

  @TempDir Path folder;
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private HttpServer pager;
  private TestServer server;

  @BeforeEach
  void open() throws IOException {
    pager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    pager.createContext(
        "/",
        exchange -> {
          try (exchange) {
            heard.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
          }
        });
    pager.start();
    server =
        new TestServer(
            folder,
            "alerts={\"failed\": [{\"webhook\": {\"connection\": \"pager\"}}], \"window\": \"1s\"}");
    server.put(
        "/api/secrets/signing",
        "{\"value\": \"whsec_MDEyMzQ1Njc4OWFiY2RlZg==\", \"hosts\": [\"127.0.0.1\"]}");
    server.put(
        "/api/connections/pager",
        """
        {"webhook": {"url": "http://127.0.0.1:%d/pager", "secret": "signing", "privateHosts": ["127.0.0.1"]}}"""
            .formatted(pager.getAddress().getPort()));
    server.release(TRIP);
  }

  @AfterEach
  void close() {
    server.close();
    pager.stop(0);
  }

  @Test
  void a_person_is_exported_and_erased_and_the_audit_log_does_not_name_them() throws Exception {
    String settled = trip("T-1", "lost");
    String effect = server.get("/api/reviews?key=T-1").at("/items/0/id");
    server.post("/api/reviews/" + effect + "/comments", "{\"text\": \"" + ANN + " called twice\"}");
    trip("T-2", "ok");
    Reply plan = post("plan", "");
    assertThat(plan.at("/ready")).isEqualTo("1");
    assertThat(plan.at("/postponed")).isEqualTo("1");
    Reply export = post("export", "");
    assertThat(export.raw().body()).contains("called twice", "\"type\":\"run\"", "T-2");

    Reply begun = post("erase", ", \"reason\": \"ticket 1\"");
    assertThat(begun.status()).isEqualTo(202);
    await("/api/runs/" + server.get("/api/runs?flow=trip&key=T-2").at("/items/0/id"));
    server.post(
        "/api/effects/" + effect + "/settle",
        "{\"decision\": \"happened\", \"reason\": \"it was there\"}");
    while (!server.get("/api/runs/" + settled).at("/status").equals("succeeded")) {
      LockSupport.parkNanos(2_000_000);
    }
    post("erase", ", \"reason\": \"ticket 1, again\", \"externalIds\": true");
    await("/api/runs/" + settled);
    String second = server.get("/api/subjects/erasures").at("/items/0/id");
    while (server.get("/api/subjects/erasures/" + second).at("/endedAt").equals("null")) {
      LockSupport.parkNanos(2_000_000);
    }

    Reply run = server.get("/api/runs/" + settled);
    assertThat(run.at("/erased")).isEqualTo("true");
    assertThat(run.body().path("input").isNull()).isTrue();
    assertThat(server.post("/api/runs/" + settled + "/retry", "{}").status()).isEqualTo(409);
    assertThat(post("export", "").body().path("records").findValuesAsString("type"))
        .doesNotContain("run");
    Reply again = server.post("/api/flows/trip/runs", input("T-2"), WAIT);
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(again.at("/erased")).isEqualTo("true");
    assertThat(server.get("/api/audit?limit=200").raw().body())
        .contains("/api/subjects/erase")
        .doesNotContain(ANN);
    assertThat(filesWith(ANN)).isEmpty();
  }

  /** A replay is planned, an alert goes out, inputs are corrected and steps are done by hand. */
  @Test
  void what_people_did_about_a_run_leaves_no_trace_of_the_person_either() throws Exception {
    server.release(VISIT);
    server.mood("tell " + ANN, "refused");
    String run = server.post("/api/flows/visit/runs", input("V-1"), WAIT).at("/id");
    server.post(
        "/api/runs/" + run + "/steps/tell/settle",
        "{\"output\": \"told %s\", \"reason\": \"%s was here\"}".formatted(ANN, ANN));
    awaitError(run);
    String corrected = "{\"input\": " + input("V-1") + "}";
    assertThat(server.post("/api/runs/" + run + "/retry", corrected, WAIT).status()).isEqualTo(200);
    awaitError(run);
    while (heard.stream().noneMatch(text -> text.contains(run))) {
      LockSupport.parkNanos(2_000_000);
    }
    Reply plan = server.post("/api/replays", "{\"runs\": [\"%s\"], \"plan\": true}".formatted(run));
    assertThat(plan.raw().body()).contains(ANN);
    String effect = server.get("/api/effects?key=V-1").at("/items/0/id");
    assertThat(server.get("/api/receipts/" + effect).raw().body()).contains(ANN);
    assertThat(server.get("/api/runs?search.who=" + ANN).at("/items/0/id")).isEqualTo(run);
    assertThat(filesWith(ANN)).isNotEmpty();

    assertThat(post("erase", ", \"reason\": \"ticket 2\"").status()).isEqualTo(202);
    String erasure = server.get("/api/subjects/erasures").at("/items/0/id");
    while (server.get("/api/subjects/erasures/" + erasure).at("/endedAt").equals("null")) {
      server.move(Duration.ofSeconds(10)); // what is still open is looked at after a minute
      LockSupport.parkNanos(2_000_000);
    }

    assertThat(server.get("/api/runs/" + run).at("/erased")).isEqualTo("true");
    assertThat(server.get("/api/receipts/" + effect).raw().body()).doesNotContain(ANN);
    assertThat(server.get("/api/replays/" + plan.at("/plan")).raw().body()).doesNotContain(ANN);
    assertThat(server.get("/api/runs?search.who=" + ANN).body().path("items")).isEmpty();
    assertThat(filesWith(ANN)).isEmpty();
  }

  private void awaitError(String run) {
    while (!server.get("/api/runs/" + run).at("/error/message").contains(ANN)) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Test
  void bad_requests_and_other_tenants_get_nothing() {
    trip("T-1", "ok");
    String other = server.tokenOf("shop");

    Reply theirs =
        server.send(
            server
                .request("/api/subjects/plan")
                .setHeader("Authorization", "Bearer " + other)
                .POST(BodyPublishers.ofString("{\"id\": \"" + ANN + "\"}")));

    assertThat(theirs.at("/ready")).isEqualTo("0");
    assertThat(server.post("/api/subjects/plan", "{}").status()).isEqualTo(400);
    assertThat(server.post("/api/subjects/plan", "{\"id\": \"\"}").status()).isEqualTo(400);
    assertThat(post("erase", "").raw().body()).contains("reason").doesNotContain(ANN);
    assertThat(post("erase", ", \"reason\": \"for " + ANN + "\"").raw().body())
        .contains("reason")
        .doesNotContain(ANN);
    assertThat(server.get("/api/subjects/erasures/nonsense").status()).isEqualTo(404);
  }

  private static String input(String id) {
    return "{\"id\": \"" + id + "\", \"person\": \"" + ANN + "\"}";
  }

  private String trip(String id, String mood) {
    server.mood(id, mood);
    return server.post("/api/flows/trip/runs", input(id), WAIT).at("/id");
  }

  private Reply post(String what, String more) {
    return server.post("/api/subjects/" + what, "{\"id\": \"" + ANN + "\"" + more + "}");
  }

  private void await(String run) {
    while (!server.get(run).at("/erased").equals("true")) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(
              file -> {
                try {
                  return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    }
  }
}
