package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signed receipts of effects, and their verification without a server. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceiptTest {
  private static final String[] WAIT = {"Prefer", "wait=20"};
  private static final String HOSTILE = "<script>alert(1)</script>\\u202e&'";

  @TempDir Path folder;
  private TestServer server;
  private ServedDesk desk;

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder.resolve("data"));
    desk = new ServedDesk(folder, server);
    desk.as(server.token());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Reply order(String id) {
    return server.post("/api/flows/order/runs", "{\"id\": \"" + id + "\"}", WAIT);
  }

  private String effect(String id) {
    return server.get("/api/effects?name=order/charge&key=" + id).at("/items/0/id");
  }

  private Reply receipt(String id) {
    return server.get("/api/receipts/" + effect(id));
  }

  @Test
  void what_the_destination_has_answered_is_proven() {
    order("A-1");
    order("A-1");

    Reply receipt = receipt("A-1");

    assertThat(receipt.at("/receipt/verdict/proven")).isEqualTo("true");
    assertThat(receipt.at("/receipt/verdict/by")).isEqualTo("answer");
    assertThat(receipt.at("/receipt/effect/key")).isEqualTo("A-1");
    assertThat(receipt.at("/receipt/effect/wireKey")).hasSize(32);
    assertThat(receipt.at("/receipt/run/flow")).isEqualTo("order");
    assertThat(receipt.at("/receipt/attempts/0/outcome")).isEqualTo("done");
    assertThat(receipt.at("/receipt/checkpoint/signature")).isNotEmpty();
  }

  @Test
  void a_receipt_is_found_by_name_and_key_and_words_say_what_to_do_without_one() {
    order("A-1");

    Reply receipt = server.get("/api/receipts?name=order%2Fcharge&key=A-1");
    Reply none = server.get("/api/receipts?name=order%2Fcharge&key=A-2");

    assertThat(receipt.at("/receipt/verdict/proven")).isEqualTo("true");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.at("/detail")).contains("nothing is left", "flow/step");
    assertThat(server.get("/api/receipts?key=A-1").status()).isEqualTo(400);
    assertThat(server.get("/api/receipts?name=x&key=" + "k".repeat(2_000)).status()).isEqualTo(400);
    assertThat(server.get("/api/receipts/e-1").at("/detail")).contains("name=");
    Reply stranger =
        server.send(
            server
                .request("/api/receipts?name=order%2Fcharge&key=A-1")
                .setHeader("Authorization", "Bearer " + server.tokenOf("stranger"))
                .GET());
    assertThat(stranger.status()).isEqualTo(404);
  }

  @Test
  void a_persons_word_is_no_proof() {
    server.mood("A-1", "lost");
    order("A-1");
    Reply before = receipt("A-1");
    server.post(
        "/api/effects/" + effect("A-1") + "/settle",
        "{\"decision\": \"happened\", \"externalId\": \"ch_1\", \"reason\": \"seen at the bank\"}");

    Reply after = receipt("A-1");

    assertThat(before.at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(before.at("/receipt/verdict/says")).contains("may have happened");
    assertThat(after.at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(after.at("/receipt/verdict/by")).isEqualTo("person");
    assertThat(after.at("/receipt/verdict/says")).contains("on the word of admin");
    assertThat(after.at("/receipt/effect/externalId")).isEqualTo("ch_1");
    assertThat(after.at("/receipt/decisions/0/reason")).isEqualTo("seen at the bank");
  }

  @Test
  void an_import_is_no_proof_and_has_no_expired_run() {
    server.send(
        server
            .request("/api/ledger/import")
            .setHeader("Content-Type", "application/x-ndjson")
            .POST(
                BodyPublishers.ofString(
                    "{\"name\": \"order/charge\", \"key\": \"I-1\", \"kind\": \"create\","
                        + " \"output\": {}}\n")));

    Reply receipt = receipt("I-1");

    assertThat(receipt.at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(receipt.at("/receipt/verdict/by")).isEqualTo("person");
    assertThat(receipt.at("/receipt/verdict/says"))
        .contains("Another system did it", "import by admin");
    assertThat(receipt.at("/receipt/caveats")).isEqualTo("[]");
  }

  @Test
  void a_step_that_was_done_by_hand_names_the_person_and_the_reason() {
    server.mood("H-1", "refused");
    Reply failed = order("H-1");
    server.post(
        "/api/runs/" + failed.at("/id") + "/steps/charge/settle",
        "{\"output\": {\"charged\": \"H-1\"}, \"reason\": \"by phone\"}");

    Reply receipt = receipt("H-1");

    assertThat(receipt.at("/receipt/verdict/by")).isEqualTo("person");
    assertThat(receipt.at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(receipt.at("/receipt/decisions/0/decision")).isEqualTo("done by hand");
    assertThat(receipt.at("/receipt/decisions/0/by")).isEqualTo("admin");
    assertThat(receipt.at("/receipt/decisions/0/reason")).isEqualTo("by phone");
  }

  @Test
  void erasing_a_person_proves_nothing_that_was_not_proven_before() throws Exception {
    server.mood("E-1", "lost");
    order("E-1");
    String told = effect("E-1");
    server.post(
        "/api/effects/" + told + "/settle",
        "{\"decision\": \"happened\", \"reason\": \"seen\", \"result\": {\"charged\": \"E-1\"}}");
    server.mood("E-1", "fine");
    server.mood("E-2", "refused");
    Reply failed = order("E-2");
    String byHand = effect("E-2");
    server.post(
        "/api/runs/" + failed.at("/id") + "/steps/charge/settle",
        "{\"output\": {\"charged\": \"E-2\"}, \"reason\": \"by phone\"}");
    Reply third = order("E-3");
    String answered = effect("E-3");
    String wireKey = byId(answered).at("/receipt/effect/wireKey");

    for (String id : List.of("E-1", "E-2", "E-3")) {
      server.post("/api/subjects/erase", "{\"id\": \"%s\", \"reason\": \"a test\"}".formatted(id));
    }

    for (String effect : List.of(told, byHand, answered)) {
      awaitErased(effect);
    }
    assertThat(byId(told).at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(byId(told).at("/receipt/verdict/says")).contains("on the word of admin");
    assertThat(byId(byHand).at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(byId(answered).at("/receipt/verdict/proven")).isEqualTo("true");
    assertThat(byId(answered).at("/receipt/effect/wireKey")).isEqualTo(wireKey);
    assertThat(server.get("/api/runs/" + third.at("/id") + "/history").body().toString())
        .as("no wire key is made up from what is left of the key")
        .doesNotContain("wireKey");
  }

  private Reply byId(String effect) {
    return server.get("/api/receipts/" + effect);
  }

  private void awaitErased(String effect) {
    while (!server.get("/api/effects/" + effect).at("/key").equals("erased")) {
      LockSupport.parkNanos(5_000_000); // the test has a time limit
    }
  }

  @Test
  void what_was_refused_or_given_up_is_not_proven() {
    server.mood("A-1", "refused");
    order("A-1");
    server.mood("A-2", "lost");
    order("A-2");
    server.post(
        "/api/effects/" + effect("A-2") + "/settle",
        "{\"decision\": \"abandon\", \"reason\": \"gone\"}");

    assertThat(receipt("A-1").at("/receipt/verdict/says"))
        .startsWith("It did not happen: the card is refused");
    assertThat(receipt("A-2").at("/receipt/verdict/proven")).isEqualTo("false");
    assertThat(receipt("A-2").at("/receipt/verdict/says")).contains("given up in doubt");
  }

  @Test
  void the_page_runs_nothing_that_a_value_brings() {
    order(HOSTILE);
    String id = server.get("/api/effects?name=order/charge").at("/items/0/id");

    Reply page =
        server.send(server.request("/api/receipts/" + id).setHeader("Accept", "text/html"));

    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(page.raw().body())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .doesNotContain("<script", "\u202e");
  }

  @Test
  void a_receipt_is_verified_without_a_server_by_the_key_of_a_checkpoint() throws IOException {
    order("A-1");
    Files.writeString(
        folder.resolve("checkpoint.json"), server.get("/api/audit/checkpoint").raw().body());
    Said shown = desk.hapax("receipt", "A-1", "--html", "receipt.html", "--json");
    Files.writeString(folder.resolve("receipt.json"), shown.document().toString());
    server.close();

    Said page = desk.hapax("receipt", "verify", "receipt.html", "--checkpoint", "checkpoint.json");
    Said json = desk.hapax("receipt", "verify", "receipt.json", "--checkpoint", "checkpoint.json");
    Said unknown = desk.hapax("receipt", "verify", "receipt.json");

    for (Said said : new Said[] {page, json}) {
      assertThat(said.exit()).isZero();
      assertThat(said.at("/data/valid")).isEqualTo("true");
      assertThat(said.at("/data/signature")).isEqualTo("good");
      assertThat(said.at("/data/content")).isEqualTo("as signed");
      assertThat(said.at("/data/key")).isEqualTo("same");
    }
    assertThat(unknown.exit()).isZero();
    assertThat(unknown.at("/data/key")).isEqualTo("not compared");
  }

  @Test
  void a_changed_receipt_is_not_valid() throws IOException {
    order("A-1");
    desk.hapax("receipt", "A-1", "--html", "receipt.html");
    String html = Files.readString(folder.resolve("receipt.html"));
    String json = server.get("/api/receipts/" + effect("A-1")).raw().body();
    Files.writeString(folder.resolve("text.html"), html.replace("Proven. ", "Proven! "));
    Files.writeString(
        folder.resolve("data.html"), html.replace("&quot;done&quot;", "&quot;failed&quot;"));
    Files.writeString(folder.resolve("data.json"), json.replace("\"done\"", "\"failed\""));
    Files.writeString(folder.resolve("order.json"), json.replace("{\"receipt\"", "{ \"receipt\""));

    Said text = desk.hapax("receipt", "verify", "text.html");

    assertThat(text.exit()).isEqualTo(3);
    assertThat(text.at("/data/signature")).isEqualTo("good");
    assertThat(text.at("/data/content")).isEqualTo("differs");
    assertThat(desk.hapax("receipt", "verify", "data.html").at("/data/signature")).isEqualTo("bad");
    assertThat(desk.hapax("receipt", "verify", "data.json").exit()).isEqualTo(3);
    assertThat(desk.hapax("receipt", "verify", "order.json").exit()).isZero();
  }

  @Test
  void a_receipt_of_another_server_has_another_key() throws IOException {
    order("A-1");
    desk.hapax("receipt", "A-1", "--html", "receipt.html");
    try (var other = new TestServer(folder.resolve("other"))) {
      Files.writeString(
          folder.resolve("other.json"), other.get("/api/audit/checkpoint").raw().body());
    }

    Said said = desk.hapax("receipt", "verify", "receipt.html", "--checkpoint", "other.json");

    assertThat(said.exit()).isEqualTo(3);
    assertThat(said.at("/data/signature")).isEqualTo("good");
    assertThat(said.at("/data/key")).isEqualTo("other");
  }

  @Test
  void a_key_of_several_effects_lists_them() {
    server.release(
        """
        flow: other
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        """);
    order("A-1");
    server.post("/api/flows/other/runs", "{\"id\": \"A-1\"}", WAIT);

    Said both = desk.hapax("receipt", "A-1");
    Said one = desk.hapax("receipt", "A-1", "--name", "other/charge");
    Said none = desk.hapax("receipt", "A-9");

    assertThat(both.exit()).isEqualTo(3);
    assertThat(both.data()).hasSize(2);
    assertThat(one.at("/data/receipt/effect/name")).isEqualTo("other/charge");
    assertThat(none.exit()).isEqualTo(4);
  }
}
