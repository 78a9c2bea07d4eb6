package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A reconciliation finds where the ledger and the destination disagree, and adopts what it may. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconcileTest {
  private static final int PAGE = 3;
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
            guard: none
            reconcile:
              list: {connection: books, path: /invoices, query: {after: "${page.cursor}", since: "${page.from}"}}
              items: ${response.body.invoices}
              next: ${response.body.next}
              key: ${item.order}
              externalId: ${item.id}
              fields: {cents: "${item.cents == effect.output.body.cents}"}
          retry: {attempts: 200, delay: 100ms, maxDelay: 100ms}
      output: {id: "${steps.invoice.output.body.id}"}
      """;

  private static final String PRICE =
      """
      flow: price
      key: ${input.id}-${input.cents}
      steps:
        - id: put
          http: {connection: books, method: PUT, path: /prices, body: {order: "${input.id}", cents: "${input.cents}"}}
          effect:
            kind: update
            key: ${input.id}
            guard: none
            reconcile:
              list: {connection: books, path: /invoices, query: {after: "${page.cursor}"}}
              items: ${response.body.invoices}
              next: ${response.body.next}
              key: ${item.order}
              fields: {}
      """;

  @TempDir private Path folder;
  private final List<Map<String, Object>> invoices = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String lost = "";
  private volatile String ignored = "";
  private volatile @Nullable String brokenPage;
  private volatile boolean isCircle;
  private volatile String held = "";
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile Runnable afterList = () -> {};
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer books;

  @BeforeEach
  void open() throws IOException {
    books = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    books.createContext("/", this::answer);
    books.setExecutor(threads);
    books.start();
  }

  @AfterEach
  void close() {
    release.countDown();
    books.stop(0);
    threads.close();
  }

  @Test
  void a_reconciliation_finds_every_difference_page_by_page() throws Exception {
    try (var server = server()) {
      for (int i = 1; i <= 7; i++) {
        bill(server, "A-" + i);
      }
      invoices.removeIf(invoice -> "A-2".equals(invoice.get("order")));
      change("A-3", "cents", 1000);
      invoices.add(invoice("X-9", "in_x"));
      invoices.add(invoice("A-1", "in_twice"));
      var keyless = invoice("A-1", "in_none");
      keyless.remove("order");
      invoices.add(keyless);

      JsonNode found = reconciled(server, "{\"flow\": \"bill\"}").body();

      assertThat(found.path("status").asString()).as("%s", found).isEqualTo("succeeded");
      assertThat(Json.write(found.path("totals")))
          .isEqualTo(
              "{\"matches\":5,\"missing\":1,\"differs\":1,\"unknown\":2,\"doubled\":1,\"unchecked\":0}");
      assertThat(keys(found, "missing")).containsExactly("A-2");
      assertThat(keys(found, "differs")).containsExactly("A-3");
      assertThat(keys(found, "unknown")).containsExactly("X-9", "");
      assertThat(keys(found, "doubled")).containsExactly("A-1");
      assertThat(found.at("/items/0/fields/0").asString()).isEqualTo("cents");
      assertThat(asked.stream().filter(query -> query.startsWith("GET"))).hasSize(3);
      assertThat(server.get("/api/effects?key=A-2").at("/items/0/state")).isEqualTo("done");
      Reply filtered =
          server.get("/api/reconciliations/" + found.path("id").asString() + "?result=missing");
      assertThat(filtered.body().path("items")).hasSize(1);
    }
  }

  @Test
  void a_reconciliation_reads_as_a_job_that_can_be_canceled_but_not_paused() throws Exception {
    try (var server = server()) {
      bill(server, "A-1");
      bill(server, "A-2");
      invoices.removeIf(invoice -> "A-2".equals(invoice.get("order")));

      Reply begun = server.post("/api/reconciliations", "{\"flow\": \"bill\", \"rate\": 7}");
      String job = "/api/jobs/" + begun.at("/id");
      await(server, job, "done");
      Reply done = server.get(job);

      assertThat(begun.at("/kind")).as("%s", begun.body()).isEqualTo("reconcile");
      assertThat(List.of("running", "done")).contains(begun.at("/state"));
      assertThat(done.at("/totals/matches")).as("%s", done.body()).isEqualTo("1");
      assertThat(done.at("/totals/missing")).isEqualTo("1");
      assertThat(done.at("/rate")).isEqualTo("7");
      assertThat(done.at("/done")).isEqualTo("2");
      assertThat(done.at("/failed")).isEqualTo("0");
      assertThat(done.at("/spec/filter/flow")).isEqualTo("bill");
      assertThat(done.at("/results/0/key")).isEqualTo("A-2");
      assertThat(done.at("/results/0/detail/result")).isEqualTo("missing");
      Reply paused = server.post(job + "/pause", "{}");
      assertThat(paused.status()).isEqualTo(409);
      assertThat(paused.at("/type")).endsWith("/not-possible");
      assertThat(server.post(job + "/resume", "{}").status()).isEqualTo(409);
      String run = bill(server, "A-3").at("/id");
      assertThat(server.get("/api/jobs/" + run).status()).isEqualTo(404);
      assertThat(server.post("/api/jobs/" + run + "/cancel", "{}").status()).isEqualTo(404);
      Reply stranger =
          server.send(
              server
                  .request(job)
                  .setHeader("Authorization", "Bearer " + server.tokenOf("stranger")));
      assertThat(stranger.status()).isEqualTo(404);
    }
  }

  @Test
  void a_reconciliation_that_is_canceled_as_a_job_ends() throws Exception {
    try (var server = server()) {
      bill(server, "A-1");
      brokenPage = "0";
      String job =
          "/api/jobs/" + server.post("/api/reconciliations", "{\"flow\": \"bill\"}").at("/id");

      Reply canceled = server.post(job + "/cancel", "{}");

      assertThat(canceled.status()).as("%s", canceled.body()).isEqualTo(200);
      await(server, job, "canceled");
    }
  }

  @Test
  void what_happens_while_the_list_is_read_is_no_difference() throws Exception {
    try (var server = server()) {
      bill(server, "A-1");
      bill(server, "A-2");
      invoices.removeIf(invoice -> "A-2".equals(invoice.get("order")));
      held = "A-7";
      String underWay = server.post("/api/flows/bill/runs", "{\"id\": \"A-7\"}").at("/id");
      while (invoices.stream().noneMatch(invoice -> "A-7".equals(invoice.get("order")))) {
        LockSupport.parkNanos(2_000_000);
      }
      afterList = () -> bill(server, "A-9");

      JsonNode found = reconciled(server, "{\"flow\": \"bill\"}").body();

      assertThat(invoices).anyMatch(invoice -> "A-9".equals(invoice.get("order")));
      assertThat(Json.write(found.path("totals")))
          .isEqualTo(
              "{\"matches\":1,\"missing\":1,\"differs\":0,\"unknown\":0,\"doubled\":0,\"unchecked\":0}");
      assertThat(keys(found, "missing")).containsExactly("A-2");
      release.countDown();
      assertThat(ended(server, underWay).at("/status")).isEqualTo("succeeded");
    }
  }

  @Test
  void a_list_whose_pages_lead_back_to_an_earlier_one_ends_with_an_error() throws Exception {
    try (var server = server()) {
      for (int i = 1; i <= 7; i++) {
        bill(server, "A-" + i);
      }
      isCircle = true;

      JsonNode found = reconciled(server, "{\"flow\": \"bill\"}").body();

      assertThat(found.at("/error/code").asString()).as("%s", found).isEqualTo("same-cursor");
      assertThat(found.at("/error/message").asString()).contains("would never end");
      assertThat(asked.stream().filter(query -> query.startsWith("GET"))).hasSizeLessThan(5);
    }
  }

  @Test
  void a_job_of_kind_reconcile_shows_its_steps_first_and_then_begins_reconciliations()
      throws Exception {
    try (var server = server()) {
      bill(server, "A-1");
      String wish =
          "{\"kind\": \"reconcile\", \"filter\": {\"flow\": \"bill\"}, \"adopt\": true, \"plan\":"
              + " true}";

      Reply plan = server.post("/api/jobs", wish);
      String job = "/api/jobs/" + plan.at("/id");
      await(server, job, "planned");
      Reply planned = server.get(job);
      server.post("/api/jobs", "{\"apply\": \"%s\"}".formatted(plan.at("/id")));
      await(server, job, "done");
      Reply done = server.get(job);

      assertThat(plan.status()).as(plan.body().toString()).isEqualTo(202);
      assertThat(planned.at("/totals/items")).isEqualTo("1");
      assertThat(planned.at("/results/0/subject")).isEqualTo("bill/invoice");
      assertThat(planned.at("/results/0/detail/reconciliation")).isEmpty();
      String one = "/api/reconciliations/" + done.at("/results/0/detail/reconciliation");
      while (!server.get(one).at("/status").equals("succeeded")) {
        LockSupport.parkNanos(2_000_000); // each look takes a request's time
      }
      assertThat(server.get(one).at("/totals/matches")).isEqualTo("1");
      assertThat(server.get(one).at("/adopted")).isEqualTo("1");
      for (String bad :
          List.of(
              "{\"kind\": \"reconcile\", \"filter\": {\"all\": true}}",
              "{\"kind\": \"reconcile\", \"filter\": {\"flow\": \"none\"}}",
              "{\"kind\": \"reconcile\", \"filter\": {\"flow\": \"bill\", \"status\": \"failed\"}}",
              "{\"kind\": \"retry\", \"filter\": {\"flow\": \"bill\"}, \"adopt\": true}")) {
        assertThat(server.post("/api/jobs", bad).status()).as(bad).isEqualTo(400);
      }
    }
  }

  private static void await(TestServer server, String job, String state) {
    while (!server.get(job).at("/state").equals(state)) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }
  }

  @Test
  void adopting_writes_ids_and_settles_a_review_that_is_found_and_no_other() throws Exception {
    try (var server = server()) {
      bill(server, "A-1");
      lost = "A-2";
      Reply doubt = bill(server, "A-2");
      lost = "A-3";
      Reply absent = bill(server, "A-3");
      invoices.removeIf(invoice -> "A-3".equals(invoice.get("order")));
      assertThat(doubt.at("/status")).isEqualTo("review");

      JsonNode found = reconciled(server, "{\"flow\": \"bill\", \"adopt\": true}").body();

      assertThat(found.path("adopted").asInt()).as("%s", found).isEqualTo(1);
      assertThat(found.path("settled").asInt()).isEqualTo(1);
      assertThat(server.get("/api/effects?key=A-1").at("/items/0/externalId")).isEqualTo("in_1");
      assertThat(server.get("/api/effects?key=A-2").at("/items/0/state")).isEqualTo("done");
      assertThat(server.get("/api/effects?key=A-3").at("/items/0/state")).isEqualTo("review");
      assertThat(ended(server, doubt.at("/id")).at("/output/id")).isEqualTo("in_2");
      assertThat(server.get("/api/runs/" + absent.at("/id")).at("/status")).isEqualTo("review");
      JsonNode again = reconciled(server, "{\"flow\": \"bill\", \"adopt\": true}").body();
      assertThat(again.path("adopted").asInt()).isZero();
      assertThat(again.path("settled").asInt()).isZero();
    }
  }

  @Test
  void an_update_in_review_is_settled_only_if_its_fields_find_its_content() throws Exception {
    try (var server = server()) {
      server.release(PRICE);
      server.release(
          PRICE
              .replace("flow: price", "flow: compared")
              .replace(
                  "{}",
                  "{cents: \"${effect.request.body.endsWith(':' + string(item.cents) + '}')}\"}"));
      for (String flow : List.of("price", "compared")) {
        price(server, flow, 900);
        ignored = flow;
        Reply doubt = price(server, flow, 1000);
        ignored = "";
        assertThat(doubt.at("/status")).as("%s", doubt.body()).isEqualTo("review");
        String wish = "{\"flow\": \"%s\", \"adopt\": true}".formatted(flow);

        JsonNode found = reconciled(server, wish).body();

        assertThat(found.path("settled").asInt()).as("%s", found).isZero();
        assertThat(found.toString()).contains("only a person can settle it");
        assertThat(server.get("/api/effects?key=" + flow).at("/items/0/state")).isEqualTo("review");
        change(flow, "cents", 1000);
        int expected = flow.equals("compared") ? 1 : 0;
        assertThat(reconciled(server, wish).body().path("settled").asInt()).isEqualTo(expected);
      }
    }
  }

  @Test
  void a_forced_revision_in_review_is_not_settled_by_the_object_of_the_first_one()
      throws Exception {
    try (var server = server()) {
      Reply run = bill(server, "A-1");
      String effect = server.get("/api/effects?key=A-1").at("/items/0/id");
      ignored = "A-1";
      replayed(
          server,
          run.at("/id"),
          "\"force\": [{\"effect\": \"%s\", \"reason\": \"again\"}]".formatted(effect));

      JsonNode found = reconciled(server, "{\"flow\": \"bill\", \"adopt\": true}").body();

      assertThat(found.path("settled").asInt()).as("%s", found).isZero();
      assertThat(found.at("/items/0/problem").asString()).contains("revision 2");
      assertThat(server.get("/api/effects?key=A-1").at("/items/0/state")).isEqualTo("review");
    }
  }

  @Test
  void whether_other_content_is_sent_is_not_answered_by_the_object_that_is_done() throws Exception {
    try (var server = server()) {
      server.release(
          BILL.replace("flow: bill", "flow: rebill")
              .replace("guard: none", "guard: none\n      onRework: review")
              .replace("cents: 900}}", "cents: \"${has(input.cents) ? input.cents : 900}\"}}"));
      Reply run = server.post("/api/flows/rebill/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");
      replayed(server, run.at("/id"), "\"input\": {\"id\": \"A-1\", \"cents\": 1000}");

      JsonNode found = reconciled(server, "{\"flow\": \"rebill\", \"adopt\": true}").body();

      assertThat(found.path("settled").asInt()).as("%s", found).isZero();
      assertThat(found.at("/items/0/problem").asString()).contains("other content");
      assertThat(server.get("/api/effects?key=A-1").at("/items/0/state")).isEqualTo("review");
    }
  }

  /** Replays the run, which then waits for a person. */
  private static void replayed(TestServer server, String run, String wish) {
    Reply plan =
        server.post(
            "/api/replays", "{\"runs\": [\"%s\"], %s, \"plan\": true}".formatted(run, wish));
    assertThat(plan.status()).as("%s", plan.body()).isEqualTo(200);
    Reply begun =
        server.post(
            "/api/replays",
            "{\"apply\": \"%s\", \"reason\": \"a test\"}".formatted(plan.at("/plan")));
    assertThat(begun.status()).as("%s", begun.body()).isEqualTo(202);
    while (!server.get("/api/runs/" + run).at("/status").equals("review")) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  private static Reply price(TestServer server, String flow, int cents) {
    return server.post(
        "/api/flows/" + flow + "/runs",
        "{\"id\": \"%s\", \"cents\": %d}".formatted(flow, cents),
        "Prefer",
        "wait=20");
  }

  @Test
  void a_reconciliation_goes_on_after_a_restart_and_asks_for_no_page_twice() throws Exception {
    String id;
    try (var server = server()) {
      for (int i = 1; i <= 7; i++) {
        bill(server, "A-" + i);
      }
      invoices.add(invoice("A-1", "in_twice"));
      brokenPage = "6";
      id = server.post("/api/reconciliations", "{\"flow\": \"bill\"}").at("/id");
      while (asked.stream().noneMatch(query -> query.startsWith("GET") && query.contains("=6"))) {
        LockSupport.parkNanos(2_000_000);
      }
    }
    brokenPage = null;
    try (var server = new TestServer(folder)) {
      JsonNode found = ended(server, id, "/api/reconciliations/").body();

      assertThat(Json.write(found.path("totals")))
          .as("%s", found)
          .isEqualTo(
              "{\"matches\":7,\"missing\":0,\"differs\":0,\"unknown\":0,\"doubled\":1,\"unchecked\":0}");
      assertThat(asked.stream().filter(query -> query.contains("after=3"))).hasSize(1);
    }
  }

  @Test
  void what_cannot_be_reconciled_is_refused_with_words() throws Exception {
    try (var server = server()) {
      assertThat(server.post("/api/reconciliations", "{}").status()).isEqualTo(400);
      assertThat(server.post("/api/reconciliations", "{\"flow\": \"none\"}").status())
          .isEqualTo(404);
      Reply without = server.post("/api/reconciliations", "{\"flow\": \"order\"}");
      assertThat(without.at("/detail")).contains("has no step with effect.reconcile");
      String other = "{\"flow\": \"bill\", \"step\": \"other\"}";
      assertThat(server.post("/api/reconciliations", other).status()).isEqualTo(400);
      String time = "{\"flow\": \"bill\", \"from\": \"yesterday\"}";
      assertThat(server.post("/api/reconciliations", time).status()).isEqualTo(400);
      String run = bill(server, "A-1").at("/id");
      assertThat(server.get("/api/reconciliations/" + run).status()).isEqualTo(404);
      Reply stranger =
          server.send(
              server
                  .request("/api/reconciliations")
                  .setHeader("Authorization", "Bearer " + server.tokenOf("stranger"))
                  .POST(BodyPublishers.ofString("{\"flow\": \"bill\"}")));
      assertThat(stranger.status()).isEqualTo(404);
    }
  }

  private TestServer server() throws IOException {
    var server = new TestServer(folder);
    String base = "http://127.0.0.1:" + books.getAddress().getPort();
    String connection =
        "{\"http\": {\"base\": \"" + base + "\", \"privateHosts\": [\"127.0.0.1\"]}}";
    server.put("/api/connections/books", connection);
    server.release(BILL);
    return server;
  }

  private static Reply bill(TestServer server, String order) {
    return server.post("/api/flows/bill/runs", "{\"id\": \"" + order + "\"}", "Prefer", "wait=20");
  }

  private static Reply reconciled(TestServer server, String body) {
    return ended(
        server, server.post("/api/reconciliations", body).at("/id"), "/api/reconciliations/");
  }

  private static Reply ended(TestServer server, String run) {
    return ended(server, run, "/api/runs/");
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

  // ---- the destination

  private void change(String order, String member, Object value) {
    invoices.stream()
        .filter(invoice -> order.equals(invoice.get("order")))
        .forEach(invoice -> invoice.put(member, value));
  }

  private static Map<String, Object> invoice(String order, String id) {
    return new LinkedHashMap<>(Map.of("order", order, "id", id, "cents", 900));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      asked.add(exchange.getRequestMethod() + " " + query);
      if (exchange.getRequestMethod().equals("GET")) {
        list(exchange, query);
        return;
      }
      JsonNode wanted =
          Json.tree(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      String order = wanted.path("order").asString();
      if (order.equals(ignored)) {
        return; // without an answer
      }
      if (exchange.getRequestMethod().equals("PUT")) {
        invoices.removeIf(invoice -> order.equals(invoice.get("order")));
        invoices.add(invoice(order, "in_" + order));
        change(order, "cents", wanted.path("cents").asInt());
        send(exchange, 200, Map.of());
        return;
      }
      Map<String, Object> made = invoice(order, "in_" + (invoices.size() + 1));
      invoices.add(made);
      if (order.equals(held)) {
        awaitRelease();
      }
      if (!order.equals(lost)) {
        send(exchange, 201, made);
      }
    }
  }

  private void list(HttpExchange exchange, String query) throws IOException {
    int from = query.contains("after=") ? Integer.parseInt(query.replaceAll("\\D", "")) : 0;
    if (Integer.toString(from).equals(brokenPage)) {
      send(exchange, 503, Map.of());
      return;
    }
    int to = Math.min(from + PAGE, invoices.size());
    List<Map<String, Object>> some = new ArrayList<>(invoices.subList(from, to));
    boolean isLast = to == invoices.size();
    afterList.run(); // what happens now is not in this page
    var page = new LinkedHashMap<String, Object>();
    page.put("invoices", some);
    if (!isLast) {
      page.put("next", Integer.toString(to));
    } else if (isCircle) {
      page.put("next", Integer.toString(PAGE));
    }
    send(exchange, 200, page);
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
