package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** People find runs and effects by what they know of them. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SearchApiTest {
  private static final String BILL =
      """
      flow: bill
      labels: [money]
      input: {type: object, required: [id], properties: {id: {type: string}, customer: {type: string}, total: {type: integer}}}
      key: ${input.id}
      searchable: {customer: "${input.customer}", total: "${input.total}"}
      steps:
        - id: charge
          call: {handler: charge, input: "${input.id}"}
          effect: {name: bill.charge, kind: create, key: "order/${input.id}", guard: keyed, externalId: "ch_${output.charged}"}
          sample: {charged: sample}
      """;

  @TempDir private Path folder;

  @Test
  void runs_are_found_by_fields_of_their_input_label_error_and_retryable() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      server.mood("A-3", "refused");
      start(server, "A-1", "c-1");
      start(server, "A-2", "c-2");
      start(server, "A-3", "c-1");
      server.post("/api/flows/order/runs", "{\"id\": \"A-9\"}", "Prefer", "wait=20");

      assertThat(keys(server, "/api/runs?search.customer=c-1")).containsExactly("A-3", "A-1");
      assertThat(keys(server, "/api/runs?search.customer=c-1&search.total=40&status=succeeded"))
          .containsExactly("A-1");
      assertThat(keys(server, "/api/runs?search.total=41")).isEmpty();
      assertThat(keys(server, "/api/runs?label=money&limit=2")).containsExactly("A-3", "A-2");
      assertThat(keys(server, "/api/runs?label=unknown")).isEmpty();
      assertThat(keys(server, "/api/runs?error=card-refused")).containsExactly("A-3");
      assertThat(keys(server, "/api/runs?retryable=true")).isEmpty();
      assertThat(keys(server, "/api/runs?keyPrefix=A-&flow=bill")).hasSize(3);
      assertThat(server.get("/api/runs?search.customer=c-2").at("/items/0/search/customer"))
          .isEqualTo("c-2");
      assertThat(server.get("/api/runs?search.a%20b=c").status()).isEqualTo(400);
      assertThat(server.get("/api/runs?serch.customer=c").status()).isEqualTo(400);
    }
  }

  @Test
  void a_corrected_input_is_found_by_its_own_fields() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      server.mood("A-1", "refused");
      String run = start(server, "A-1", "wrong");
      server.mood("A-1", "fine");

      server.post("/api/runs/" + run + "/retry", input("A-1", "right"), "Prefer", "wait=20");

      assertThat(keys(server, "/api/runs?search.customer=wrong")).isEmpty();
      assertThat(keys(server, "/api/runs?search.customer=right")).containsExactly("A-1");
    }
  }

  @Test
  void effects_are_found_by_run_external_id_wire_key_and_beginning_of_key() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      String run = start(server, "A-1", "c-1");
      start(server, "A-2", "c-1");
      String wireKey = server.get("/api/effects?key=order/A-1").at("/items/0/wireKey");

      for (String query :
          List.of("run=" + run, "externalId=ch_A-1", "wireKey=" + wireKey, "keyPrefix=order/A-1")) {
        assertThat(keys(server, "/api/effects?" + query)).as(query).containsExactly("order/A-1");
      }
      assertThat(keys(server, "/api/effects?keyPrefix=order/")).hasSize(2);
      assertThat(server.get("/api/effects?run=r-unknown").status()).isEqualTo(404);
    }
  }

  @Test
  void find_says_what_each_hit_is_and_where_to_look_next() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      String run = start(server, "A-1", "c-1");
      start(server, "A-10", "A-1");

      List<String> hits = hits(server, "A-1");

      assertThat(hits).containsExactly("run key A-1", "run search.customer A-1", "run key A-10");
      assertThat(hits(server, run)).containsExactly("run id " + run);
      assertThat(hits(server, "ch_A-1"))
          .containsExactly("effect externalId ch_A-1", "effect externalId ch_A-10");
      assertThat(hits(server, "order/A-10")).containsExactly("effect key order/A-10");
      assertThat(hits(server, "bil")).containsExactly("flow name bill");
      assertThat(hits(server, "nothing-like-it")).isEmpty();
      assertThat(server.get("/api/find?q=" + run).at("/items/0/next"))
          .isEqualTo("hapax runs show " + run);
      assertThat(server.get("/api/find").status()).isEqualTo(400);
      assertThat(server.get("/api/find?q=").status()).isEqualTo(400);
      assertThat(server.get("/api/find?q=" + "x".repeat(2_000)).status()).isEqualTo(400);
    }
  }

  @Test
  void hits_come_in_pages() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      start(server, "A-1", "c-1");
      start(server, "A-10", "A-1");

      Reply first = server.get("/api/find?q=A-1&limit=2");
      Reply second = server.get("/api/find?q=A-1&limit=2&after=" + first.at("/next"));

      assertThat(first.body().path("items")).hasSize(2);
      assertThat(second.body().path("items")).hasSize(1);
      assertThat(second.body().path("next").isNull()).isTrue();
      assertThat(server.get("/api/find?q=A-1&after=999999").body().path("items")).isEmpty();
      assertThat(server.get("/api/find?q=A-1&after=-1").status()).isEqualTo(400);
    }
  }

  @Test
  void a_token_finds_only_the_kinds_and_flows_that_it_may_read() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      start(server, "A-1", "c-1");
      String runsOnly = token(server, "{\"name\": \"r\", \"scopes\": [\"runs:read\"]}");
      String others =
          token(
              server,
              "{\"name\": \"o\", \"scopes\": [\"runs:read\", \"effects:read\", \"flows:read\"], \"flows\": [\"order\"]}");

      assertThat(as(server, runsOnly, "/api/find?q=ch_A-1")).isEmpty();
      assertThat(as(server, runsOnly, "/api/find?q=bill")).isEmpty();
      assertThat(as(server, runsOnly, "/api/find?q=A-1")).hasSize(1);
      for (String query :
          List.of(
              "/api/find?q=A-1",
              "/api/find?q=ch_A-1",
              "/api/find?q=bill",
              "/api/runs?search.customer=c-1",
              "/api/runs?label=money",
              "/api/effects?keyPrefix=order/")) {
        assertThat(as(server, others, query)).as(query).isEmpty();
      }
    }
  }

  @Test
  void drafts_are_searched_in_their_own_space() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      server.post("/api/flows/bill/runs?draft=true", body("D-1", "c-9"), "Prefer", "wait=20");

      assertThat(keys(server, "/api/runs?search.customer=c-9")).isEmpty();
      assertThat(keys(server, "/api/runs?search.customer=c-9&draft=true")).containsExactly("D-1");
      assertThat(hits(server, "D-1")).isEmpty();
      assertThat(hits(server, "D-1&draft=true")).isNotEmpty();
    }
  }

  private static String start(TestServer server, String id, String customer) {
    Reply started = server.post("/api/flows/bill/runs", body(id, customer), "Prefer", "wait=20");
    assertThat(started.status()).isEqualTo(201);
    return started.at("/id");
  }

  private static String body(String id, String customer) {
    return "{\"id\": \"%s\", \"customer\": \"%s\", \"total\": 40}".formatted(id, customer);
  }

  private static String input(String id, String customer) {
    return "{\"input\": " + body(id, customer) + "}";
  }

  private static List<String> keys(TestServer server, String path) {
    Reply reply = server.get(path);
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
    return reply.body().at("/items").valueStream().map(item -> item.at("/key").asString()).toList();
  }

  private static List<String> hits(TestServer server, String text) {
    return server
        .get("/api/find?q=" + text)
        .body()
        .at("/items")
        .valueStream()
        .map(SearchApiTest::hit)
        .toList();
  }

  private static String hit(JsonNode item) {
    return String.join(
        " ", item.at("/kind").asString(), item.at("/by").asString(), item.at("/value").asString());
  }

  private static String token(TestServer server, String body) {
    Reply made = server.post("/api/tokens", body);
    assertThat(made.status()).as("%s", made.body()).isLessThan(300);
    return made.at("/token");
  }

  private static List<JsonNode> as(TestServer server, String token, String path) {
    Reply reply =
        server.send(server.request(path).setHeader("Authorization", "Bearer " + token).GET());
    assertThat(reply.status()).as("%s %s", path, reply.body()).isEqualTo(200);
    return reply.body().at("/items").valueStream().toList();
  }
}
