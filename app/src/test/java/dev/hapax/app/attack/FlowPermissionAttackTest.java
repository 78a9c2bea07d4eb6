package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Message;
import dev.hapax.json.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A token that is limited to flows, by name or label, sees and touches nothing of the others. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowPermissionAttackTest {
  private static final String MARK = "payroll";
  private static final String PAYROLL =
      """
      flow: payroll
      labels: [finance]
      key: ${input.id}
      triggers:
        - schedule: {name: payroll-monthly, cron: "0 3 1 1 *", timezone: Europe/Berlin, input: {id: "${schedule.time}"}}
        - queue: {connection: payroll-db, queue: payroll_outbox, name: payroll-queue, input: "${event.body}"}
        - webhook: {path: payroll-hook, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
      steps:
        - id: pay
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none, name: payroll-pay}
          retry: {attempts: 1}
        - id: ask
          approval: {ask: "payroll?", expires: 1d}
      """;

  private static final String DESK =
      """
      flow: desk
      labels: [%s]
      key: ${input.id}
      steps:
        - {id: note, set: {text: hello}}
      """;

  private static final String BOOKS =
      """
      flow: payroll-books
      key: ${input.id}
      steps:
        - id: book
          http: {connection: books, method: POST, path: /books, body: {id: "${input.id}"}}
          effect:
            kind: create
            key: ${input.id}
            guard: keyed
            reconcile:
              list: {connection: books, path: /healthz}
              items: "${[{'id': 'payroll-1'}]}"
              key: ${item.id}
      """;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static TestServer server;
  private static String limited;
  private static String labelled;
  private static final Map<String, String> THINGS = new TreeMap<>();

  @BeforeAll
  static void open() throws Exception {
    server = new TestServer(folder, "http.requestsPerToken=off", "http.requestsPerAddress=off");
    server.release(PAYROLL);
    Reply run =
        server.post("/api/flows/payroll/runs", "{\"id\":\"payroll-1\"}", "Prefer", "wait=5");
    assertThat(server.post("/hooks/payroll-hook", "{\"id\":\"payroll-2\"}").status())
        .isEqualTo(200);
    server.publish("payroll-3", Message.to("bank").type("paid").data(Map.of("id", MARK)));
    server.release(DESK.formatted("sales"));
    limited = limitedTo("flows", "ord*", "free");
    labelled = limitedTo("labels", "sales", "support");
    THINGS.put("/api/flows/", "payroll");
    THINGS.put("/api/runs/", run.at("/id"));
    THINGS.put("/api/schedules/", "payroll-monthly");
    THINGS.put("/api/queues/", "payroll-queue");
    for (String list : List.of("approvals", "effects", "inbox", "outbox")) {
      THINGS.put("/api/%s/".formatted(list), awaited("/api/" + list));
    }
    THINGS.put("/api/reviews/", awaited("/api/effects"));
    THINGS.put("/api/receipts/", awaited("/api/effects"));
    THINGS.put("/api/reconciliations/", reconciled());
  }

  private static String reconciled() {
    server.put(
        "/api/connections/books",
        "{\"http\": {\"base\": \"%s\", \"privateHosts\": [\"127.0.0.1\"]}}"
            .formatted(server.address()));
    server.release(BOOKS);
    String id = server.post("/api/reconciliations", "{\"flow\": \"payroll-books\"}").at("/id");
    while (!server.get("/api/reconciliations/" + id).at("/status").equals("succeeded")) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }
    return id;
  }

  private static String awaited(String list) throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      Reply reply = server.get(list);
      if (reply.body().at("/items/0/id").isString()) {
        return reply.at("/items/0/id");
      }
      Thread.sleep(20);
    }
    throw new AssertionError("nothing in " + list);
  }

  private static String limitedTo(String member, String... words) {
    List<String> scopes =
        Arrays.stream(TokenScope.values())
            .filter(scope -> scope.isGranted() && scope != TokenScope.ADMIN)
            .map(TokenScope::word)
            .toList();
    Reply made =
        server.post(
            "/api/tokens",
            Json.write(Map.of("name", "limited", "scopes", scopes, member, List.of(words))));
    assertThat(made.status()).as(made.raw().body()).isEqualTo(201);
    assertThat(made.body().at("/details/" + member).toString()).isEqualTo(Json.write(words));
    return made.at("/token");
  }

  @AfterAll
  static void close() {
    CLIENT.shutdownNow();
    server.close();
  }

  private record Answer(int status, String text) {}

  private static Answer ask(String token, String method, String path, @Nullable String body)
      throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(
            server
                .request(path)
                .setHeader("Authorization", "Bearer " + token)
                .setHeader(
                    "Content-Type",
                    path.contains("/draft") ? "application/yaml" : "application/json")
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.body());
  }

  private static String path(Route route, @Nullable String instead) {
    String path = route.path();
    for (String name : route.parameters()) {
      int at = path.indexOf('{');
      String thing = THINGS.get(path.substring(0, at));
      String value = thing == null ? Map.of("release", "1").getOrDefault(name, "none") : thing;
      path =
          path.substring(0, at)
              + (thing != null && instead != null ? instead : value)
              + path.substring(path.indexOf('}') + 1);
    }
    return path;
  }

  private static List<String> bodies(Route route) {
    return route.method() == Method.GET || route.method() == Method.DELETE
        ? Arrays.asList((String) null)
        : List.of(
            "{}",
            "{\"decision\":\"approve\"}",
            "{\"decision\":\"happened\",\"reason\":\"x\"}",
            "{\"release\":1}",
            "{\"id\":\"payroll-1\"}",
            PAYROLL);
  }

  @Test
  void every_route_about_another_flow_answers_as_if_it_did_not_exist() throws Exception {
    int byName = everyRoute(limited);
    AttackTable.held(
        FlowPermissionAttackTest.class, "Every route with a token for another flow", byName);
  }

  @Test
  void every_route_about_a_flow_of_another_label_answers_as_if_it_did_not_exist() throws Exception {
    int byLabel = everyRoute(labelled);
    AttackTable.held(
        FlowPermissionAttackTest.class, "Every route with a token for another label", byLabel);
  }

  private static int everyRoute(String token) throws Exception {
    Map<String, String> before = everything();
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (Route route : server.routes()) {
      if (route.scope() == TokenScope.PUBLIC || route.path().equals("/api/events")) {
        continue;
      }
      boolean isOwned =
          route.subject() instanceof FlowSubject.Owner
              || route.subject().equals(FlowSubject.WRITTEN);
      for (String body : bodies(route)) {
        for (String query : List.of("", "?draft=true")) {
          attempts++;
          String path = path(route, null);
          Answer answer = ask(token, route.method().name(), path + query, body);
          boolean isRefused =
              route.scope() == TokenScope.ADMIN ? answer.status() == 403 : answer.status() == 404;
          boolean isTold =
              answer.status() < 300
                  && answer.text().contains(MARK)
                  && route.subject().equals(FlowSubject.LISTED);
          if ((isOwned && !isRefused) || isTold) {
            wrong.add("%s: %d %s".formatted(route, answer.status(), answer.text()));
          }
        }
      }
      if (isOwned && route.scope() != TokenScope.ADMIN) { // the same answer as for nothing
        attempts++;
        String method = route.method().name();
        String body = bodies(route).getFirst();
        Answer foreign = ask(token, method, path(route, null), body);
        Answer nothing = ask(token, method, path(route, "absent"), body);
        String owned = THINGS.get(route.path().substring(0, route.path().indexOf('{')));
        if (!nothing.text().replace("absent", owned).equals(foreign.text())) {
          wrong.add("%s tells: %s, not %s".formatted(route, foreign.text(), nothing.text()));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(everything()).isEqualTo(before);
    return attempts;
  }

  @Test
  void lists_and_filters_leave_other_flows_out() throws Exception {
    int attempts = everyList(limited) + everyList(labelled);
    assertThat(ask(limited, "GET", "/api/flows", null).text())
        .contains("\"order\"")
        .contains("\"free\"")
        .doesNotContain("\"desk\"");
    assertThat(ask(labelled, "GET", "/api/flows", null).text())
        .contains("\"desk\"")
        .doesNotContain("\"order\"");
    AttackTable.held(
        FlowPermissionAttackTest.class, "Lists with a token for another flow", attempts);
  }

  private static int everyList(String token) throws Exception {
    int attempts = 0;
    var told = new ArrayList<String>();
    for (String list :
        List.of(
            "runs", "effects", "approvals", "inbox", "outbox", "schedules", "queues", "flows")) {
      for (String query :
          List.of(
              "",
              "?limit=1",
              "?limit=200",
              "?flow=payroll",
              "?flow=pay*",
              "?key=payroll-1",
              "?name=payroll-pay",
              "?source=payroll-hook",
              "?status=retrying",
              "?state=open",
              "?parent=" + THINGS.get("/api/runs/"))) {
        attempts++;
        Answer answer = ask(token, "GET", "/api/" + list + query, null);
        if (answer.status() < 300 && answer.text().contains(MARK)) {
          told.add(list + query + ": " + answer.text());
        }
      }
    }
    assertThat(told).isEmpty();
    return attempts;
  }

  @Test
  void a_limited_token_does_its_own_work_and_makes_nothing_wider() throws Exception {
    assertThat(ask(limited, "POST", "/api/flows/order/runs", "{\"id\":\"own-1\"}").status())
        .isEqualTo(201);
    assertThat(ask(limited, "GET", "/api/runs", null).text())
        .contains("own-1")
        .doesNotContain(MARK);
    int attempts = 0;
    for (String wish :
        List.of(
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"]}",
            "{\"name\":\"x\",\"scopes\":[\"admin\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[\"order\"]}")) {
      attempts++;
      assertThat(ask(limited, "POST", "/api/tokens", wish).status()).as(wish).isEqualTo(403);
    }
    for (String wish :
        List.of(
            "{\"name\":\"x\",\"scopes\":[\"admin\"],\"flows\":[\"order\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[\"*\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[\"a*b\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[\"\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[null]}",
            "{\"name\":\"x\",\"scopes\":[null],\"flows\":[\"order\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":\"order\"}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"flows\":[\"label:sales\"]}",
            "{\"name\":\"x\",\"scopes\":[\"admin\"],\"labels\":[\"sales\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[\"*\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[\"sal*\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[\"Sales\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[\"\"]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":[null]}",
            "{\"name\":\"x\",\"scopes\":[\"runs:read\"],\"labels\":\"sales\"}")) {
      attempts++;
      assertThat(server.post("/api/tokens", wish).status()).as(wish).isEqualTo(400);
    }
    // A flow of its own that calls another one would start that one's runs.
    for (String child : List.of("payroll", "fre", "freedom")) {
      attempts++;
      String yaml =
          "flow: order-2\nsteps:\n  - id: c\n    flow: {name: %s, input: {id: x}}\n"
              .formatted(child);
      assertThat(ask(limited, "PUT", "/api/flows/order-2/draft", yaml).status()).isEqualTo(403);
    }
    AttackTable.held(FlowPermissionAttackTest.class, "Tokens and flows made wider", attempts);
  }

  /** Puts a draft with the token for labels. */
  private static int draft(String flow, String yaml) throws Exception {
    return ask(labelled, "PUT", "/api/flows/%s/draft".formatted(flow), yaml).status();
  }

  private static String desk(String flow, String labels) {
    return DESK.formatted(labels).replace("flow: desk", "flow: " + flow);
  }

  private static void asAdmin(String flow, String yaml) {
    Reply put =
        server.send(
            server
                .request("/api/flows/%s/draft".formatted(flow))
                .setHeader("Content-Type", "application/yaml")
                .PUT(BodyPublishers.ofString(yaml)));
    assertThat(put.status()).as(put.raw().body()).isEqualTo(200);
  }

  @Test
  void a_token_for_labels_gives_its_label_to_no_other_flow() throws Exception {
    asAdmin("payslip", desk("payslip", "finance"));
    int attempts = 0;
    for (String labels : List.of("sales", "finance, sales", "support", "finance", "")) {
      for (String flow : List.of("payroll", "payslip", "order")) {
        attempts++;
        assertThat(draft(flow, desk(flow, labels))).as("%s [%s]", flow, labels).isEqualTo(404);
      }
    }
    // A draft of another author has the label already; the live release has not.
    asAdmin("payroll", PAYROLL.replace("[finance]", "[sales]"));
    server.post("/api/flows/payroll/releases", "{}");
    for (List<String> call :
        List.of(
            List.of("GET", "", ""),
            List.of("GET", "/draft", ""),
            List.of("POST", "/releases", "{}"),
            List.of("PUT", "/live", "{\"release\":1}"),
            List.of("PUT", "/live", "{\"release\":2}"),
            List.of("DELETE", "/live", ""),
            List.of("POST", "/runs", "{\"id\":\"payroll-3\"}"),
            List.of("POST", "/runs?draft=true", "{\"id\":\"payroll-3\"}"))) {
      attempts++;
      String text = call.get(2);
      Answer answer =
          ask(
              labelled,
              call.get(0),
              "/api/flows/payroll" + call.get(1),
              text.isEmpty() ? null : text);
      assertThat(answer.status()).as("%s", call).isEqualTo(404);
    }
    asAdmin("payroll", PAYROLL);
    AttackTable.held(
        FlowPermissionAttackTest.class, "Other flows that get the label of a token", attempts);
  }

  @Test
  void a_token_for_labels_makes_flows_of_its_labels_only_and_keeps_them() throws Exception {
    int attempts = 0;
    for (String labels : List.of("", "finance", "sales2", "sale", "Sales", "'*'", "sales, sales")) {
      attempts++;
      assertThat(draft("fresh", desk("fresh", labels))).as(labels).isEqualTo(404);
    }
    for (String yaml :
        List.of(
            "labels: [sales]", "flow: fresh\nlabels: [sales]\n", "flow: fresh\nlabels: sales\n")) {
      attempts++;
      assertThat(draft("fresh", yaml)).as(yaml).isEqualTo(404);
    }
    attempts++;
    assertThat(draft("fresh", desk("fresh", "sales, finance"))).isEqualTo(403);
    assertThat(server.get("/api/flows/fresh").status()).isEqualTo(404);
    assertThat(draft("fresh", desk("fresh", "sales"))).isEqualTo(200);
    for (String labels : List.of("", "finance", "sales, finance", "Sales")) {
      attempts++;
      assertThat(draft("fresh", desk("fresh", labels))).as(labels).isEqualTo(403);
    }
    assertThat(server.get("/api/flows/fresh").body().at("/labels").toString())
        .isEqualTo("[\"sales\"]");
    assertThat(draft("fresh", desk("fresh", "support"))).isEqualTo(200); // also its own
    AttackTable.held(FlowPermissionAttackTest.class, "New flows of a token for labels", attempts);
  }

  @Test
  void a_token_for_labels_releases_and_promotes_no_other_labels() throws Exception {
    server.release(desk("shared", "finance, sales"));
    int attempts = 0;
    int release = 1;
    for (String labels : List.of("", "finance", "sales", "finance, sales, hr", "sales, hr")) {
      String yaml = desk("shared", labels);
      asAdmin("shared", yaml);
      attempts++;
      assertThat(ask(labelled, "POST", "/api/flows/shared/releases", "{}").status())
          .as(labels)
          .isEqualTo(403);
      assertThat(server.post("/api/flows/shared/releases", "{}").status()).isEqualTo(201);
      attempts++;
      String wish = "{\"release\":%d}".formatted(++release);
      assertThat(ask(labelled, "PUT", "/api/flows/shared/live", wish).status())
          .as(labels)
          .isEqualTo(403);
      attempts++;
      assertThat(draft("shared", yaml)).as(labels).isEqualTo(403);
    }
    assertThat(draft("shared", "flow: shared\nnot a file")).isEqualTo(200); // nobody can release it
    assertThat(draft("shared", desk("shared", "sales, support, finance"))).isEqualTo(200);
    assertThat(ask(labelled, "POST", "/api/flows/shared/releases", "{}").status()).isEqualTo(201);
    String wish = "{\"release\":%d}".formatted(++release);
    assertThat(ask(labelled, "PUT", "/api/flows/shared/live", wish).status()).isEqualTo(200);
    assertThat(server.get("/api/flows/shared").body().at("/labels").toString())
        .isEqualTo("[\"sales\",\"support\",\"finance\"]");
    AttackTable.held(
        FlowPermissionAttackTest.class, "Labels added and removed by a token for labels", attempts);
  }

  @Test
  void flows_of_a_token_for_labels_call_flows_of_its_labels() throws Exception {
    String parent =
        "flow: parent\nlabels: [sales]\nsteps:\n  - id: c\n    flow: {name: %s, input: {id: x}}\n";
    int attempts = 0;
    for (String child : List.of("payroll", "order", "absent")) {
      attempts++;
      assertThat(draft("parent", parent.formatted(child))).as(child).isEqualTo(403);
    }
    assertThat(draft("parent", parent.formatted("parent"))).isEqualTo(200);
    assertThat(draft("parent", parent.formatted("desk"))).isEqualTo(200);
    // A label widens no token for names.
    String named = desk("order-3", "finance, sales");
    assertThat(ask(limited, "PUT", "/api/flows/order-3/draft", named).status()).isEqualTo(200);
    for (String path :
        List.of("/api/flows/payroll", "/api/flows/desk", "/api/flows/parent/draft")) {
      attempts++;
      assertThat(ask(limited, "GET", path, null).status()).as(path).isEqualTo(404);
    }
    AttackTable.held(FlowPermissionAttackTest.class, "Children and names with labels", attempts);
  }

  @Test
  void a_stream_with_a_token_for_labels_has_no_events_of_other_flows() throws Exception {
    var request =
        server
            .request("/api/events")
            .setHeader("Authorization", "Bearer " + labelled)
            .GET()
            .build();
    var stream = CLIENT.send(request, BodyHandlers.ofLines());
    server.post("/api/flows/payroll/runs", "{\"id\":\"payroll-stream\"}", "Prefer", "wait=5");
    server.post("/api/flows/desk/runs", "{\"id\":\"desk-stream\"}", "Prefer", "wait=5");

    try (Stream<String> lines = stream.body()) {
      List<String> told = lines.takeWhile(line -> !line.contains("desk-stream")).toList();
      assertThat(told).noneMatch(line -> line.contains(MARK)).contains("event: run");
    }
  }

  private static Map<String, String> everything() {
    var seen = new LinkedHashMap<String, String>();
    for (Route route : server.routes()) {
      if (route.method() == Method.GET
          && route.scope() != TokenScope.PUBLIC
          && route
              .path()
              .matches("/api/(flows|runs|effects|approvals|inbox|outbox|schedules|queues).*")) {
        seen.put(path(route, null), server.get(path(route, null)).raw().body());
      }
    }
    return seen;
  }
}
