package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** A tenant that has something of everything, and another one that wants to know of it. */
final class TwoTenants {
  private final ServerProcess server;
  private final Listener ear;
  private final Set<String> marks = new LinkedHashSet<>();

  TwoTenants(ServerProcess server, Listener ear) {
    this.server = server;
    this.ear = ear;
  }

  private String mark(String what) {
    String mark = "acme-" + what + "-7c1d";
    marks.add(mark);
    return mark;
  }

  /** Something of acme behind every parameter of a path, each with a name of its own. */
  void haveThings(String acme) throws Exception {
    String flow = mark("flow");
    server.release(
        acme,
        """
        flow: %s
        key: ${input.id}
        triggers:
          - schedule: {name: %s, cron: "0 3 1 1 *", timezone: Europe/Berlin, input: {id: "${schedule.time}"}}
          - queue: {connection: %s, queue: outbox, name: %s, input: "${event.body}"}
          - webhook: {path: %s, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
        steps:
          - id: call
            http: {method: POST, url: "https://%s.invalid/", body: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed, name: %s}
            retry: {attempts: 1}
            onError: continue
          - id: ask
            approval: {ask: "%s", expires: 1d}
        """
            .formatted(
                flow,
                mark("schedule"),
                mark("broker"),
                mark("queue"),
                mark("path"),
                mark("host"),
                mark("effect"),
                mark("question")));
    Reply run =
        ServerProcess.must(
            server.ask(
                acme,
                "POST",
                "/api/flows/" + flow + "/runs",
                Json.write(Map.of("id", mark("key"), "text", mark("input")))));
    ServerProcess.must(
        server.ask(
            null,
            "POST",
            "/hooks/acme/" + mark("path"),
            Json.write(Map.of("id", mark("event"), "text", mark("payload")))));
    CanaryTest.put(server, acme, "/api/kv/" + mark("entry"), Map.of("value", mark("value")));
    CanaryTest.put(
        server, acme, "/api/secrets/" + mark("secret"), Map.of("value", mark("secret-value")));
    CanaryTest.put(
        server,
        acme,
        "/api/connections/" + mark("connection"),
        Map.of("http", Map.of("base", "https://" + mark("base") + ".example")));
    String stored =
        server.ask(acme, "POST", "/api/resources", Json.write(mark("resource"))).at("/ref");
    String wish = Json.write(Map.of("name", mark("token"), "scopes", List.of("runs:read")));
    String token = server.ask(acme, "POST", "/api/tokens", wish).at("/id");
    CanaryTest.await(
        () -> server.get(acme, "/api/approvals").json().at("/items/1").isMissingNode());
    ear.things.put("/api/flows/", flow);
    ear.things.put("/api/runs/", run.at("/id"));
    ear.things.put("/api/kv/", mark("entry"));
    ear.things.put("/api/secrets/", mark("secret"));
    ear.things.put("/api/connections/", mark("connection"));
    ear.things.put("/api/resources/", stored.replace("res://", ""));
    ear.things.put("/api/tokens/", token);
    ear.things.put("/api/schedules/", mark("schedule"));
    ear.things.put("/api/queues/", mark("queue"));
    ear.things.put("/api/tenants/", "acme");
    for (String list : List.of("/api/approvals", "/api/effects", "/api/inbox")) {
      ear.things.put(list + "/", server.get(acme, list).at("/items/0/id"));
    }
    assertThat(ear.things.values()).as("%s", ear.things).doesNotContain("");
    marks.addAll(List.of(ear.things.get("/api/runs/"), ear.things.get("/api/inbox/"), token));
    marks.addAll(List.of(ear.things.get("/api/approvals/"), ear.things.get("/api/effects/")));
  }

  /** No answer to the other tenant contains anything that it did not send itself. */
  List<String> toldTo(String rival, Queue<String> events) throws Exception {
    ear.walk("rival", rival, Listener.READS, true);
    ear.walk("nobody", null, Listener.READS, true);
    for (String list :
        List.of("runs", "effects", "approvals", "inbox", "outbox", "kv", "flows", "audit")) {
      for (String query :
          List.of(
              "limit=1",
              "limit=1&after=acme",
              "after=c1",
              "after=" + ear.things.get("/api/runs/"))) {
        ear.hear("rival", rival, "GET", "/api/" + list + "?" + query, null);
      }
    }
    for (String filter :
        List.of(
            "/api/runs?flow=acme*",
            "/api/runs?key=" + mark("key"),
            "/api/runs?parent=" + ear.things.get("/api/runs/"),
            "/api/effects?name=" + mark("effect"),
            "/api/effects?keyPrefix=acme",
            "/api/effects?run=" + ear.things.get("/api/runs/"),
            "/api/runs?keyPrefix=acme",
            "/api/find?q=" + mark("key"),
            "/api/find?q=" + mark("effect"),
            "/api/find?q=" + ear.things.get("/api/runs/"),
            "/api/find?q=" + ear.things.get("/api/effects/"),
            "/api/find?q=" + ear.things.get("/api/inbox/"),
            "/api/find?q=" + ear.things.get("/api/approvals/"),
            "/api/kv?prefix=acme",
            "/api/inbox?source=" + mark("path"))) {
      ear.hear("rival", rival, "GET", filter, null);
    }
    ear.walk("rival", rival, Listener.WRITES, true);
    ear.walk("nobody", null, Listener.WRITES, true);
    String taken =
        "flow: mine\ntriggers:\n  - webhook: {path: %s, verify: {scheme: none}}\nsteps:\n  - {id: a, set: {b: c}}\n"
            .formatted(mark("path"));
    ear.hear("rival", rival, "PUT", "/api/flows/mine/draft", taken);
    ear.hear("rival", rival, "POST", "/api/flows/mine/releases", mark("path"));
    server.release(rival, "flow: own\nkey: ${input.id}\nsteps:\n  - {id: a, set: {b: c}}\n");
    CanaryTest.run(server, rival, "own", Map.of("id", "rival's own"));
    CanaryTest.await(() -> !events.toString().contains("rival's own"));
    ear.heard.put("rival's events", events.toString());

    var told = new ArrayList<String>();
    ear.heard.forEach(
        (asked, text) -> {
          if (asked.startsWith("rival") || asked.startsWith("nobody")) {
            marks.forEach(
                mark ->
                    CanaryTest.tellIf(
                        text.contains(mark) && !asked.contains(mark), told, mark, asked));
          }
        });
    return told;
  }
}
