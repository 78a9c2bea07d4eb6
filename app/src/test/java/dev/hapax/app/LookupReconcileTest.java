package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Without a list, a reconciliation looks up each row of the ledger by its own key; what is proven
 * to be missing can be sent again, once, by a person.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("server")
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LookupReconcileTest {
  private static final String BILL =
      """
      flow: bill
      key: ${input.id}
      steps:
        - id: invoice
          http: {connection: books, method: POST, path: /invoices, body: {order: "${input.id}", cents: 900}}
          effect:
            kind: create
            key: ${input.id}
            guard:
              lookup:
                http: {connection: books, path: "/invoices/${effect.key}"}
                found: ${response.status == 200}
                output: ${response.body}
                settle: 100ms
            externalId: ${output.body.id}
            reconcile: {rate: 100, fields: {cents: "${item.cents == effect.output.body.cents}"}}
          timeout: 1s
          retry: {attempts: 20, delay: 50ms, maxDelay: 50ms, within: 1s}
        - id: note
          http: {connection: books, method: POST, path: /notes, body: {text: "invoice ${steps.invoice.output.body.id}"}}
          effect: {kind: notify, key: "note/${input.id}", guard: none}
      output: {id: "${steps.invoice.output.body.id}"}
      """;

  private static final String TAG =
      """
        - id: tag
          http: {connection: books, method: PUT, path: /tags, body: {invoice: "${steps.invoice.output.body.id}"}}
          effect: {kind: update, key: "tag/${input.id}", guard: upsert}
      """;

  @TempDir private Path folder;
  private Books books;

  @BeforeEach
  void open() throws IOException {
    books = new Books();
  }

  @AfterEach
  void close() {
    books.close();
  }

  @Test
  void each_row_is_looked_up_by_its_own_key() throws Exception {
    try (var server = server(BILL)) {
      for (int i = 1; i <= 7; i++) {
        bill(server, "A-" + i);
      }
      books.remove("A-2");
      books.change("A-3", "cents", 1000);
      books.change("A-4", "id", "in_other");
      books.asked.clear();

      JsonNode found = reconciled(server, "{\"flow\": \"bill\"}").body();

      assertThat(found.path("status").asString()).as("%s", found).isEqualTo("succeeded");
      assertThat(Json.write(found.path("totals")))
          .isEqualTo(
              "{\"matches\":4,\"missing\":1,\"differs\":2,\"unknown\":0,\"doubled\":0,\"unchecked\":0}");
      assertThat(keys(found, "missing")).containsExactly("A-2");
      assertThat(keys(found, "differs")).containsExactly("A-4", "A-3");
      assertThat(found.path("note").asString()).contains("cannot show");
      assertThat(found.path("lookedUp").get(0).asString()).isEqualTo("invoice");
      assertThat(books.asked).hasSize(7).allMatch(one -> one.startsWith("GET /invoices/A-"));
      assertThat(books.sent("/invoices")).hasSize(7);
    }
  }

  @Test
  void a_destination_that_is_down_is_awaited_and_nothing_is_missing() throws Exception {
    try (var server = server(BILL)) {
      bill(server, "A-1");
      bill(server, "A-2");
      books.remove("A-2");
      books.asked.clear();
      books.down = true;
      String id = server.post("/api/reconciliations", "{\"flow\": \"bill\"}").at("/id");
      while (books.asked.size() < 2) {
        LockSupport.parkNanos(2_000_000);
      }
      JsonNode waiting = server.get("/api/reconciliations/" + id).body();
      assertThat(waiting.at("/totals/missing").asInt()).isZero();
      books.down = false;

      JsonNode found = ended(server, id, "/api/reconciliations/").body();

      assertThat(keys(found, "missing")).as("%s", found).containsExactly("A-2");
      assertThat(found.at("/totals/matches").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_row_whose_lookup_keeps_failing_is_not_checked_and_not_missing() throws Exception {
    try (var server = server(BILL)) {
      for (int i = 1; i <= 3; i++) {
        bill(server, "A-" + i);
      }
      books.broken.put("A-2", 500);
      books.broken.put("A-3", 403);

      JsonNode found = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").body();

      assertThat(keys(found, "unchecked")).as("%s", found).containsExactly("A-3", "A-2");
      assertThat(found.at("/totals/missing").asInt()).isZero();
      assertThat(found.at("/totals/matches").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_repair_shows_what_it_would_send_and_then_sends_it_once() throws Exception {
    try (var server = server(BILL.replace("output: {id", TAG + "output: {id"))) {
      String run = bill(server, "A-1").at("/id");
      bill(server, "A-2");
      books.remove("A-1");

      Reply planned = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}");
      String id = planned.at("/id");

      assertThat(planned.at("/repairs/planned")).as("%s", planned.body()).isEqualTo("1");
      assertThat(planned.at("/items/0/repair/run")).isEqualTo(run);
      assertThat(planned.at("/items/0/repair/sends")).isEqualTo("2");
      assertThat(planned.at("/items/0/repair/request")).contains("A-1");
      // The note is done, and no content would send it again; an update may be.
      assertThat(planned.body().at("/items/0/repair/later").toString()).isEqualTo("[\"tag\"]");
      assertThat(books.has("A-1")).isFalse();
      assertThat(server.get("/api/reconciliations/" + id + "/repair").status()).isEqualTo(404);
      assertThat(server.post("/api/reconciliations/" + id + "/repair", "{}").status())
          .isEqualTo(400);

      String wish = "{\"reason\": \"deleted by mistake\"}";
      Reply begun = server.post("/api/reconciliations/" + id + "/repair", wish);
      assertThat(begun.status()).as("%s", begun.body()).isEqualTo(201);
      assertThat(server.post("/api/reconciliations/" + id + "/repair", wish).at("/id"))
          .isEqualTo(begun.at("/id"));
      assertThat(
              server
                  .post("/api/reconciliations/" + id + "/repair", "{\"reason\": \"another\"}")
                  .status())
          .isEqualTo(409);

      Reply repaired = repaired(server, id);
      assertThat(repaired.at("/totals/replayed")).as("%s", repaired.body()).isEqualTo("1");
      ended(server, run, "/api/runs/");
      assertThat(books.has("A-1")).isTrue();
      assertThat(books.sent("/invoices").stream().filter(one -> one.contains("A-1"))).hasSize(2);
      assertThat(books.sent("/notes")).hasSize(2);
      Reply effect = server.get("/api/effects?key=A-1");
      assertThat(effect.at("/items/0/revision")).isEqualTo("2");
      assertThat(effect.at("/items/0/state")).isEqualTo("done");
      String history = server.get("/api/runs/" + run + "/history").raw().body();
      assertThat(history).contains("deleted by mistake", "missing at the destination", id);
      JsonNode again = reconciled(server, "{\"flow\": \"bill\"}").body();
      assertThat(again.at("/totals/matches").asInt()).isEqualTo(2);
    }
  }

  @Test
  void what_came_back_meanwhile_is_not_sent() throws Exception {
    try (var server = server(BILL)) {
      bill(server, "A-1");
      var gone = books.remove("A-1");
      String id = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").at("/id");
      books.invoices.add(gone);

      server.post("/api/reconciliations/" + id + "/repair", "{\"reason\": \"gone\"}");
      Reply repaired = repaired(server, id);

      assertThat(repaired.at("/totals/found")).as("%s", repaired.body()).isEqualTo("1");
      assertThat(books.sent("/invoices")).hasSize(1);
    }
  }

  @Test
  void two_repairs_of_the_same_effect_send_it_once() throws Exception {
    try (var server = server(BILL)) {
      String run = bill(server, "A-1").at("/id");
      books.remove("A-1");
      String wish = "{\"flow\": \"bill\", \"repair\": true}";
      String one = reconciled(server, wish).at("/id");
      String other = reconciled(server, wish).at("/id");

      server.post("/api/reconciliations/" + one + "/repair", "{\"reason\": \"one\"}");
      server.post("/api/reconciliations/" + other + "/repair", "{\"reason\": \"other\"}");
      JsonNode first = repaired(server, one).body();
      JsonNode second = repaired(server, other).body();
      ended(server, run, "/api/runs/");

      assertThat(first.at("/totals/replayed").asInt() + second.at("/totals/replayed").asInt())
          .as("%s %s", first, second)
          .isEqualTo(1);
      assertThat(books.sent("/invoices")).hasSize(2);
      assertThat(books.invoices).hasSize(1);
    }
  }

  @Test
  void a_review_that_a_lookup_finds_is_settled_and_an_id_is_adopted() throws Exception {
    String without = BILL.replace("      externalId: ${output.body.id}\n", "");
    try (var server = server(without)) {
      books.lost = "A-1";
      books.broken.put("lookups after a post", 500);
      Reply doubt = bill(server, "A-1");
      assertThat(doubt.at("/status")).as("%s", doubt.body()).isEqualTo("review");
      books.broken.clear();
      books.lost = "";
      bill(server, "A-2");
      release(server, BILL, 2);

      JsonNode found = reconciled(server, "{\"flow\": \"bill\", \"adopt\": true}").body();

      assertThat(found.path("settled").asInt()).as("%s", found).isEqualTo(1);
      assertThat(found.path("adopted").asInt()).isEqualTo(1);
      assertThat(ended(server, doubt.at("/id"), "/api/runs/").at("/output/id")).isEqualTo("in_1");
      assertThat(server.get("/api/effects?key=A-1").at("/items/0/externalId")).isEqualTo("in_1");
      assertThat(server.get("/api/effects?key=A-2").at("/items/0/externalId")).isEqualTo("in_2");
      assertThat(books.sent("/invoices")).hasSize(2);
    }
  }

  @Test
  void a_lookup_that_reads_what_the_ledger_does_not_keep_checks_nothing() throws Exception {
    String byInput = BILL.replace("${effect.key}", "${input.id}");
    String bySteps =
        BILL.replace("${effect.key}", "${steps.name.output.order}")
            .replace("steps:\n", "steps:\n  - id: name\n    set: {order: \"${input.id}\"}\n");
    try (var server = server(byInput)) {
      bill(server, "A-1");
      JsonNode found = reconciled(server, "{\"flow\": \"bill\"}").body();
      assertThat(found.at("/totals/matches").asInt()).as("%s", found).isEqualTo(1);
      String imported =
          "{\"name\": \"bill/invoice\", \"key\": \"B-1\", \"kind\": \"create\", \"output\": {\"body\": {\"id\": \"x\"}}}\n";
      server.send(
          server
              .request("/api/ledger/import")
              .setHeader("Content-Type", "application/x-ndjson")
              .POST(BodyPublishers.ofString(imported)));
      found = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").body();
      assertThat(keys(found, "unchecked")).as("%s", found).containsExactly("B-1");
      assertThat(found.at("/items/0/problem").asString()).contains("use effect.key");

      release(server, bySteps, 2);
      found = reconciled(server, "{\"flow\": \"bill\"}").body();
      assertThat(keys(found, "unchecked")).as("%s", found).containsExactly("B-1", "A-1");
    }
  }

  @Test
  void a_repair_of_an_imported_row_and_of_one_without_a_lookup_is_refused_with_words()
      throws Exception {
    String listed =
        BILL.replaceAll("(?s)guard:\\n.*?settle: 100ms", "guard: none")
            .replace(
                "reconcile: {",
                "reconcile: {list: {connection: books, path: /invoices}, key: \"${item.order}\", ");
    try (var server = server(BILL)) {
      bill(server, "A-1");
      books.remove("A-1");
      String imported =
          "{\"name\": \"bill/invoice\", \"key\": \"B-1\", \"kind\": \"create\", \"output\": {\"body\": {\"id\": \"x\"}}}\n";
      server.send(
          server
              .request("/api/ledger/import")
              .setHeader("Content-Type", "application/x-ndjson")
              .POST(BodyPublishers.ofString(imported)));
      JsonNode found = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").body();
      assertThat(found.at("/repairs/planned").asInt()).as("%s", found).isEqualTo(1);
      assertThat(found.at("/repairs/impossible").asInt()).isEqualTo(1);
      assertThat(Json.write(found)).contains("it was imported");

      release(server, listed, 2);
      found = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").body();
      assertThat(found.at("/repairs/planned").asInt()).as("%s", found).isZero();
      assertThat(Json.write(found)).contains("force it by a replay");
      assertThat(
              server
                  .post(
                      "/api/reconciliations/" + found.path("id").asString() + "/repair",
                      "{\"reason\": \"x\"}")
                  .status())
          .isEqualTo(201);
      assertThat(repaired(server, found.path("id").asString()).at("/totals/replayed"))
          .isEqualTo("0");
      assertThat(books.sent("/invoices")).hasSize(1);
    }
  }

  @Test
  void a_reconciliation_and_its_repair_go_on_after_a_restart() throws Exception {
    String id;
    try (var server = server(BILL)) {
      for (int i = 1; i <= 5; i++) {
        bill(server, "A-" + i);
      }
      books.remove("A-1");
      books.remove("A-2");
      books.asked.clear();
      String wish = "{\"flow\": \"bill\", \"repair\": true, \"rate\": 1}";
      id = server.post("/api/reconciliations", wish).at("/id");
      while (books.asked.size() < 3) {
        LockSupport.parkNanos(2_000_000);
      }
    }
    try (var server = new TestServer(folder)) {
      Reply found = ended(server, id, "/api/reconciliations/");
      assertThat(found.at("/totals/missing")).as("%s", found.body()).isEqualTo("2");
      assertThat(found.at("/totals/matches")).isEqualTo("3");
      assertThat(found.at("/repairs/planned")).isEqualTo("2");
      books.asked.clear();
      server.post("/api/reconciliations/" + id + "/repair", "{\"reason\": \"lost\"}");
      while (books.asked.isEmpty()) {
        LockSupport.parkNanos(2_000_000);
      }
    }
    try (var server = new TestServer(folder)) {
      Reply repaired = repaired(server, id);
      assertThat(repaired.at("/totals/replayed")).as("%s", repaired.body()).isEqualTo("2");
      while (!books.has("A-1") || !books.has("A-2")) {
        LockSupport.parkNanos(2_000_000);
      }
      assertThat(books.invoices).hasSize(5);
      assertThat(books.sent("/invoices")).hasSize(7);
    }
  }

  @Test
  void other_tenants_and_limited_tokens_see_nothing_of_it() throws Exception {
    try (var server = server(BILL)) {
      bill(server, "A-1");
      books.remove("A-1");
      String id = reconciled(server, "{\"flow\": \"bill\", \"repair\": true}").at("/id");
      String limited =
          server
              .post(
                  "/api/tokens",
                  "{\"name\": \"other\", \"scopes\": [\"effects:read\", \"effects:settle\", \"runs:write\"], \"flows\": [\"order\"]}")
              .at("/token");
      String weak =
          server
              .post(
                  "/api/tokens",
                  "{\"name\": \"weak\", \"scopes\": [\"effects:read\", \"effects:settle\"]}")
              .at("/token");
      for (String token : List.of(server.tokenOf("stranger"), limited)) {
        assertThat(asked(server, token, "/api/reconciliations/" + id).status()).isEqualTo(404);
        assertThat(asked(server, token, "/api/reconciliations/" + id + "/repair").status())
            .isEqualTo(404);
        assertThat(posted(server, token, id).status()).isEqualTo(404);
      }
      assertThat(posted(server, weak, id).status()).isEqualTo(403);
      assertThat(books.sent("/invoices")).hasSize(1);
    }
  }

  private static Reply asked(TestServer server, String token, String path) {
    return server.send(server.request(path).setHeader("Authorization", "Bearer " + token).GET());
  }

  private static Reply posted(TestServer server, String token, String id) {
    return server.send(
        server
            .request("/api/reconciliations/" + id + "/repair")
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString("{\"reason\": \"x\"}")));
  }

  private TestServer server(String flow) throws IOException {
    var server = new TestServer(folder);
    server.put("/api/connections/books", books.connection());
    server.release(flow);
    return server;
  }

  private static void release(TestServer server, String text, int number) {
    server.send(
        server
            .request("/api/flows/bill/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text)));
    assertThat(server.post("/api/flows/bill/releases", "{}").status()).isLessThan(300);
    Reply live = server.put("/api/flows/bill/live", "{\"release\": " + number + "}");
    assertThat(live.status()).as("%s", live.body()).isLessThan(300);
  }

  private static Reply bill(TestServer server, String order) {
    return server.post("/api/flows/bill/runs", "{\"id\": \"" + order + "\"}", "Prefer", "wait=20");
  }

  private static Reply reconciled(TestServer server, String body) {
    return ended(
        server, server.post("/api/reconciliations", body).at("/id"), "/api/reconciliations/");
  }

  private static Reply repaired(TestServer server, String id) {
    while (true) {
      Reply now = server.get("/api/reconciliations/" + id + "/repair");
      if (List.of("succeeded", "failed").contains(now.at("/status"))) {
        return now;
      }
    }
  }

  private static Reply ended(TestServer server, String id, String path) {
    assertThat(id).startsWith("r-");
    while (true) {
      Reply now = server.get(path + id);
      if (List.of("succeeded", "failed").contains(now.at("/status"))) {
        return now;
      }
    }
  }

  private static List<String> keys(JsonNode found, String result) {
    return found
        .path("items")
        .valueStream()
        .filter(item -> item.path("result").asString().equals(result))
        .map(item -> item.path("key").asString(""))
        .toList();
  }
}
