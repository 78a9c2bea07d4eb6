package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.Message;
import dev.hapax.flow.RunId;
import dev.hapax.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runs with which Hapax itself works have inputs that name tenants, connections and jobs. No
 * retry and no replay of such a run puts other names into it.
 */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnFlowAttackTest {
  private static final String VICTIM = "default";
  private static final String ATTACKER = "bees";

  private static final String BOOKS =
      """
      flow: books
      key: ${input.id}
      steps:
        - id: book
          http: {connection: books, method: POST, path: /books, body: {id: "${input.id}"}}
          effect:
            kind: create
            key: ${input.id}
            guard: {lookup: {http: {connection: books, path: "/books/${effect.key}"}, found: "${true}", settle: 1ms}}
      """;

  private static final String ONCE =
      """
      {"effect": {"name": "pay", "key": "k", "guard": "none"}, "connection": "nothing",
       "http": {"method": "POST", "path": "/nothing", "body": {"to": "a"}}, "retry": {"attempts": 1}}
      """;

  @TempDir static Path folder;
  private static TestServer server;
  private static RecordingServer victims;
  private static RecordingServer elsewhere;

  /** A run of Hapax itself, and a token of its tenant. */
  private record OwnRun(String flow, String id, String token) {}

  private static final List<OwnRun> RUNS = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    victims = new RecordingServer();
    elsewhere = new RecordingServer();
    server = new TestServer(folder, "http.requestsPerToken=off", "http.requestsPerAddress=off");
    server.post("/api/tenants", "{\"name\":\"%s\"}".formatted(ATTACKER));
    String bees = server.post("/api/tenants/%s/tokens".formatted(ATTACKER), "{}").at("/token");
    connect("books", "http://127.0.0.1:" + victims.port());
    connect("elsewhere", "http://127.0.0.1:" + elsewhere.port());
    connect("nothing", server.address().toString());
    release(server.token());
    Reply booked = server.post("/api/flows/books/runs", "{\"id\":\"secret\"}", "Prefer", "wait=20");
    assertThat(booked.at("/status")).as(booked.raw().body()).isEqualTo("succeeded");
    String away = "{\"http\":{\"base\":\"https://books.example\"}}";
    as(bees, "PUT", "/api/connections/books", away);
    release(bees);
    String wish = "{\"flow\":\"books\",\"repair\":true}";
    String reconciled = as(bees, "POST", "/api/reconciliations", wish).at("/id");
    ended("hapax.reconcile", reconciled, bees);
    String repair = "/api/reconciliations/%s/repair".formatted(reconciled);
    as(bees, "POST", repair, "{\"reason\":\"r\"}");
    ended("hapax.repair", idOf(ATTACKER, "hapax.repair", reconciled), bees);
    ended("hapax.once", server.post("/api/once", ONCE).at("/run"), server.token());
    String cancel = "{\"kind\":\"cancel\",\"filter\":{\"flow\":\"books\"}}";
    String job = server.post("/api/jobs", cancel).at("/id");
    ended("hapax/job", idOf(VICTIM, "hapax/job", job + "/1"), server.token());
    server.courier("bank", _ -> {});
    server.publish("m", Message.to("bank").type("paid").data(Map.of("id", "1")));
    String message = server.get("/api/outbox?destination=bank").at("/items/0/id");
    ended("hapax/deliver/bank", idOf(VICTIM, "hapax/deliver/bank", message), server.token());
    String person = "{\"id\": \"nobody\", \"reason\": \"r\"}";
    String erasure = server.post("/api/subjects/erase", person).at("/id");
    ended("hapax/erasure", idOf(VICTIM, "hapax/erasure", erasure), server.token());
  }

  @AfterAll
  static void close() throws Exception {
    server.close();
    victims.close();
    elsewhere.close();
  }

  private static String idOf(String tenant, String flow, String key) {
    return RunId.of(tenant, flow, key, null).toString();
  }

  private static Reply as(String token, String method, String path, String body) {
    return server.send(
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + token)
            .setHeader(
                "Content-Type", path.endsWith("/draft") ? "application/yaml" : "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  private static void connect(String name, String base) {
    String form = "{\"http\":{\"base\":\"%s\",\"privateHosts\":[\"127.0.0.1\"]}}".formatted(base);
    assertThat(server.put("/api/connections/" + name, form).status()).isLessThan(300);
  }

  private static void release(String token) {
    as(token, "PUT", "/api/flows/books/draft", BOOKS);
    as(token, "POST", "/api/flows/books/releases", "{}");
    Reply live = as(token, "PUT", "/api/flows/books/live", "{\"release\":1}");
    assertThat(live.status()).as(live.raw().body()).isEqualTo(200);
  }

  private static Reply get(String token, String path) {
    return server.send(server.request(path).setHeader("Authorization", "Bearer " + token).GET());
  }

  private static void ended(String flow, String run, String token) {
    var own = new OwnRun(flow, run, token);
    awaitEnd(own);
    RUNS.add(own);
  }

  private static void awaitEnd(OwnRun run) {
    Reply now = get(run.token(), "/api/runs/" + run.id());
    while (!List.of("succeeded", "failed").contains(now.at("/status"))) {
      assertThat(now.status()).as("%s: %s", run, now.raw().body()).isEqualTo(200);
      LockSupport.parkNanos(10_000_000); // the test's own limit ends a wait in vain
      now = get(run.token(), "/api/runs/" + run.id());
    }
  }

  private static JsonNode input(OwnRun run) {
    return get(run.token(), "/api/runs/" + run.id()).body().path("input");
  }

  private static String history(OwnRun run) {
    return get(run.token(), "/api/runs/%s/history".formatted(run.id())).raw().body();
  }

  /** The input of a run with the names that the attacker wants. */
  private static String forged(OwnRun run) {
    if (input(run) instanceof ObjectNode object) {
      object.put("tenant", VICTIM).put("adopt", true);
      if (object.has("connection")) {
        object.put("connection", "elsewhere");
      }
      return Json.write(object);
    }
    return "{\"tenant\":\"%s\"}".formatted(VICTIM);
  }

  /** Sends it, applies the plan if one was made, and waits for the job if one was begun. */
  private static void attempt(String token, String path, String body) {
    Reply answer = as(token, "POST", path, body);
    String job = answer.body().path("id").asString("");
    String plan = answer.body().path("plan").asString("");
    if (!plan.isEmpty()) {
      awaitJob(token, plan);
      as(token, "POST", "/api/replays", "{\"apply\":\"%s\"}".formatted(plan));
    }
    awaitJob(token, plan.isEmpty() ? job : plan);
  }

  private static void awaitJob(String token, String job) {
    while (job.startsWith("j-")
        && !List.of("planned", "done", "failed", "canceled")
            .contains(get(token, "/api/jobs/" + job).at("/state"))) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** All ways to give a run another input or output: path and body. */
  private static List<List<String>> ways(OwnRun run) {
    String forged = forged(run);
    String outputs = "{\"page\":%s,\"send\":%s,\"round-1\":%s}".formatted(forged, forged, forged);
    List<List<String>> ways = new ArrayList<>();
    ways.add(List.of("/api/runs/%s/retry".formatted(run.id()), "{\"input\":%s}".formatted(forged)));
    ways.add(List.of("/api/flows/%s/runs".formatted(run.flow().replace("/", "%2F")), forged));
    for (String more : List.of("\"input\":" + forged, "\"outputs\":" + outputs)) {
      for (String runs :
          List.of(
              "\"runs\":[\"%s\"]".formatted(run.id()),
              "\"filter\":{\"ids\":[\"%s\"]}".formatted(run.id()),
              "\"filter\":{\"flow\":\"%s\"}".formatted(run.flow()))) {
        ways.add(List.of("/api/replays", "{%s,%s,\"plan\":true}".formatted(runs, more)));
      }
      for (String kind : List.of("replay", "retry")) {
        ways.add(
            List.of(
                "/api/jobs",
                "{\"kind\":\"%s\",\"filter\":{\"ids\":[\"%s\"]},%s}"
                    .formatted(kind, run.id(), more)));
      }
    }
    return ways;
  }

  @Test
  void a_run_of_hapax_itself_takes_no_other_input_and_no_output() throws Exception {
    List<Integer> before = List.of(victims.heads.size(), elsewhere.heads.size());
    List<String> changed = new ArrayList<>();
    int attempts = 0;
    for (OwnRun run : RUNS) {
      JsonNode input = input(run);
      String history = history(run);
      for (List<String> way : ways(run)) {
        attempt(run.token(), way.getFirst(), way.getLast());
        attempts++;
        if (!input(run).equals(input) || !history(run).equals(history)) {
          changed.add(run.flow() + ": " + way);
          break;
        }
      }
    }

    assertThat(changed).isEmpty();
    assertThat(List.of(victims.heads.size(), elsewhere.heads.size())).isEqualTo(before);
    AttackTable.held(
        OwnFlowAttackTest.class,
        "Another input or output for a run of Hapax's own flows, by retry, replay and job",
        attempts);
  }

  @Test
  void the_output_of_a_step_is_given_only_by_who_may_settle() throws Exception {
    Reply made =
        server.post(
            "/api/tokens", "{\"name\":\"runner\",\"scopes\":[\"runs:read\",\"runs:write\"]}");
    String runner = made.at("/token");
    String run = server.get("/api/runs?flow=books").at("/items/0/id");
    String outputs = "\"outputs\":{\"book\":{\"status\":200}}";
    List<List<String>> ways =
        List.of(
            List.of("/api/replays", "{\"runs\":[\"%s\"],%s,\"plan\":true}".formatted(run, outputs)),
            List.of(
                "/api/replays",
                "{\"filter\":{\"flow\":\"books\"},%s,\"plan\":true}".formatted(outputs)),
            List.of(
                "/api/jobs",
                "{\"kind\":\"replay\",\"filter\":{\"ids\":[\"%s\"]},%s}".formatted(run, outputs)),
            List.of(
                "/api/jobs",
                "{\"kind\":\"replay\",\"filter\":{\"flow\":\"books\"},%s,\"plan\":true}"
                    .formatted(outputs)));
    for (List<String> way : ways) {
      Reply answer = as(runner, "POST", way.getFirst(), way.getLast());
      assertThat(answer.status()).as("%s: %s", way, answer.raw().body()).isEqualTo(403);
    }
    Reply plan = server.post(ways.getFirst().getFirst(), ways.getFirst().getLast());
    assertThat(plan.status()).as(plan.raw().body()).isEqualTo(200);
    String apply = "{\"apply\":\"%s\"}".formatted(plan.at("/plan"));
    assertThat(as(runner, "POST", "/api/replays", apply).status()).isEqualTo(403);

    AttackTable.held(
        OwnFlowAttackTest.class,
        "The output of a step in a replay, by a token that may not settle",
        ways.size() + 1);
  }
}
