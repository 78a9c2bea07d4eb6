package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Effects of another system come into the ledger over HTTP, and the ledger goes out. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LedgerApiTest {
  private static final String CHARGED =
      "{\"name\": \"order/charge\", \"key\": \"A-1\", \"kind\": \"create\", \"externalId\":"
          + " \"ch_1\", \"output\": {\"charged\": \"before\"}}\n";

  @TempDir private Path folder;

  @Test
  void a_run_sends_nothing_for_an_imported_effect_and_says_so() throws Exception {
    try (var server = new TestServer(folder)) {
      server.mood("A-1", "refused");

      Reply imported = bringIn(server, CHARGED);
      Reply run = server.post("/api/flows/order/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");

      assertThat(imported.body().path("added").asInt()).isEqualTo(1);
      assertThat(run.at("/status")).isEqualTo("succeeded");
      assertThat(run.at("/output/charged")).isEqualTo("before");
      assertThat(server.get("/api/runs/" + run.at("/id") + "/history").at("/items"))
          .contains("reused from import by ");
      JsonNode effect = server.get("/api/effects?externalId=ch_1").body().at("/items/0");
      assertThat(effect.path("run").isNull()).isTrue();
      assertThat(effect.path("guard").asString()).isEqualTo("imported");
      assertThat(server.get("/api/effects/" + effect.path("id").asString()).status())
          .isEqualTo(200);
      assertThat(server.get("/api/find?q=ch_1").body().path("items")).hasSize(1);
    }
  }

  @Test
  void a_row_that_cannot_be_taken_is_reported_with_its_line_and_holds_up_no_other()
      throws Exception {
    try (var server = new TestServer(folder)) {
      bringIn(server, CHARGED);
      String hostile =
          String.join(
              "\n",
              CHARGED.strip(),
              CHARGED.replace("ch_1", "ch_2").strip(),
              "not JSON",
              "{\"name\": \"x\", \"key\": \"" + "k".repeat(2_000) + "\", \"kind\": \"create\"}",
              "{\"name\": \"x\", \"key\": \"a\\u0000b\", \"kind\": \"create\"}",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"create\", \"output\": "
                  + "[".repeat(500)
                  + "]".repeat(500)
                  + "}",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"create\", \"output\": \""
                  + "x".repeat(1 << 20)
                  + "\"}",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"read\"}",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"create\", \"colour\": 1}",
              "{\"name\": \"order/charge\", \"key\": \"A-2\", \"kind\": \"create\"}",
              "",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"notify\", \"state\": \"review\"}",
              "{\"name\": \"x\", \"key\": \"K\", \"kind\": \"notify\", \"at\":"
                  + " \"2025-06-01T00:00:00Z\"}");

      JsonNode answer = bringIn(server, hostile).body();

      assertThat(answer.path("rows").asInt()).isEqualTo(12);
      assertThat(answer.path("added").asInt()).isEqualTo(1);
      assertThat(answer.path("same").asInt()).isEqualTo(1);
      assertThat(answer.path("exists").asInt()).isEqualTo(1);
      assertThat(answer.path("refused").asInt()).isEqualTo(9);
      assertThat(lines(answer, "exists")).containsExactly(2);
      assertThat(lines(answer, "refused")).containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 12);
      assertThat(problem(answer, 2)).isEqualTo("the ledger has another external id");
      assertThat(problem(answer, 7)).startsWith("expected a row of at most 1,048,576 characters");
      assertThat(problem(answer, 8)).startsWith("kind: expected create, update, notify or");
      assertThat(problem(answer, 10))
          .isEqualTo(
              "output: expected a value, because the output of flow 'order' reads the output of"
                  + " this effect");
      assertThat(problem(answer, 12)).startsWith("state: expected done, got 'review'");
    }
  }

  @Test
  void an_import_of_an_export_changes_nothing_as_lines_and_as_csv() throws Exception {
    try (var server = new TestServer(folder)) {
      bringIn(server, CHARGED);
      bringIn(
          server,
          "{\"name\": \"x\", \"key\": \"a,\\\"b\\\"\\n"
              + "c\", \"kind\": \"update\", \"version\": 1.50, \"revision\": 3}");
      server.post("/api/flows/order/runs", "{\"id\": \"B-1\"}", "Prefer", "wait=20");

      for (String format : List.of("ndjson", "csv")) {
        String text = text(server, "/api/ledger/export?format=" + format);
        JsonNode answer =
            bringIn(server, text, format.equals("csv") ? "text/csv" : "application/x-ndjson")
                .body();

        assertThat(text.lines().filter(line -> line.contains("order/charge"))).hasSize(2);
        assertThat(answer.path("rows").asInt()).as(text).isEqualTo(3);
        assertThat(answer.path("same").asInt()).as(text + answer).isEqualTo(3);
      }
      assertThat(text(server, "/api/ledger/export?name=x").lines()).hasSize(2);
      assertThat(text(server, "/api/ledger/export?to=2020-01-01T00:00:00Z"))
          .isEqualTo("{\"end\":0}\n");
      assertThat(server.get("/api/ledger/export?format=xml").status()).isEqualTo(400);
      assertThat(server.get("/api/ledger/export?from=yesterday").status()).isEqualTo(400);
    }
  }

  @Test
  void csv_without_known_columns_is_refused_as_a_whole() throws Exception {
    try (var server = new TestServer(folder)) {
      assertThat(bringIn(server, "id,what\n1,2\n", "text/csv").status()).isEqualTo(400);
      assertThat(bringIn(server, "", "text/csv").status()).isEqualTo(400);
      assertThat(bringIn(server, "<a/>", "application/xml").status()).isEqualTo(415);
      JsonNode answer =
          bringIn(server, "name,key,kind,output\nx,K,create,{\nx,L,create\n", "text/csv").body();
      assertThat(answer.path("added").asInt()).isEqualTo(1);
      assertThat(lines(answer, "refused")).containsExactly(2);
    }
  }

  @Test
  void csv_with_wrong_quotes_brings_in_no_key_that_is_not_there() throws Exception {
    try (var server = new TestServer(folder)) {
      String behind = "name,key,kind\nx,\"A-1\"7,create\nx,B-1,create\n";
      String inside = "name,key,kind\nx, \"A-2\",create\nx,A\"3,create\nx,B-2,create\n";
      String unclosed =
          "name,key,kind,note\nx,B-3,create,fine\nx,A-4,create,\"never closed\nx,A-5,create,gone\n";

      JsonNode first = bringIn(server, behind, "text/csv").body();
      JsonNode second = bringIn(server, inside, "text/csv").body();
      JsonNode third = bringIn(server, unclosed, "text/csv").body();

      assertThat(lines(first, "refused")).containsExactly(2);
      assertThat(problem(first, 2))
          .isEqualTo("expected a comma behind the closing quotes, got '7'");
      assertThat(lines(second, "refused")).containsExactly(2, 3);
      assertThat(lines(third, "refused")).containsExactly(3);
      assertThat(problem(third, 3)).contains("never closed");
      JsonNode there = server.get("/api/effects?name=x").body().path("items");
      assertThat(there.valueStream().map(row -> row.path("key").asString()))
          .containsExactlyInAnyOrder("B-1", "B-2", "B-3");
    }
  }

  @Test
  void csv_of_a_spreadsheet_may_begin_with_a_byte_order_mark_and_have_comments() throws Exception {
    try (var server = new TestServer(folder)) {
      String text =
          "\ufeff# from \"books, 2026\r\nname,key,kind\r\n# a \"comment\r\nx,A-1,create\r\n";

      JsonNode answer = bringIn(server, text, "text/csv").body();

      assertThat(answer.path("added").asInt()).as(answer.toString()).isEqualTo(1);
    }
  }

  private static List<Integer> lines(JsonNode answer, String result) {
    return answer
        .path("problems")
        .valueStream()
        .filter(row -> row.path("result").asString().equals(result))
        .map(row -> row.path("line").asInt())
        .toList();
  }

  private static String problem(JsonNode answer, int line) {
    return answer
        .path("problems")
        .valueStream()
        .filter(row -> row.path("line").asInt() == line)
        .map(row -> row.path("problem").asString())
        .findFirst()
        .orElseThrow();
  }

  private static String text(TestServer server, String path) {
    return server.get(path).raw().body();
  }

  private static Reply bringIn(TestServer server, String lines) {
    return bringIn(server, lines, "application/x-ndjson");
  }

  private static Reply bringIn(TestServer server, String text, String type) {
    return server.send(
        server
            .request("/api/ledger/import")
            .setHeader("Content-Type", type)
            .POST(BodyPublishers.ofString(text)));
  }
}
