package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder);
    server.release(TRIP);
  }

  @AfterEach
  void close() {
    server.close();
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
      Thread.onSpinWait();
    }
    post("erase", ", \"reason\": \"ticket 1, again\", \"externalIds\": true");
    await("/api/runs/" + settled);
    String second = server.get("/api/subjects/erasures").at("/items/0/id");
    while (server.get("/api/subjects/erasures/" + second).at("/endedAt").equals("null")) {
      Thread.onSpinWait();
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
      Thread.onSpinWait();
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
