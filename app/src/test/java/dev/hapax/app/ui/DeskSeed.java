package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.util.List;
import java.util.Map;

/** Questions to people: effects in review of two causes, and open approvals. */
final class DeskSeed {
  static final String HOSTILE = "<img src=x onerror=alert(1)> \u202Egnp.exe 🧾";

  private static final String[] WAIT = {"Prefer", "wait=20"};
  private static final String TRIP =
      """
      flow: trip
      runbook: Ask the travel desk.
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: hold
          call: {handler: charge, input: "hold-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          compensate:
            call: {handler: charge, input: "undo-hold-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: book
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
          runbook: Look the booking up by its number in the hotel's portal. If it is there, note its id.
          compensate:
            call: {handler: charge, input: "undo-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
      output: {booked: true}
      """;
  private static final String OFFER =
      """
      flow: offer
      key: ${input.id}
      steps:
        - {id: draft, set: {text: "${rework == null ? input.text : rework.values.text}"}}
        - id: release
          approval: {ask: "Send the offer ${input.id} to the customer? ${steps.draft.output.text}", rework: draft, expires: 3d, onExpire: reject}
      output: {text: "${steps.draft.output.text}", decision: "${steps.release.output.decision}"}
      """;

  private DeskSeed() {}

  static void into(TestServer server) {
    server.release(TRIP);
    server.release(OFFER);
    for (int i = 1; i <= 6; i++) {
      lost(server, "order", "L-" + (300 + i));
    }
    String trip = lost(server, "trip", "T-77");
    server.post("/api/reviews/" + trip + "/assign", "{\"assignee\": \"ada\"}");
    server.post(
        "/api/reviews/" + trip + "/comments",
        "{\"text\": \"Asked the hotel, they answer tomorrow.\"}");
    start(server, "ask", Map.of("id", "A-9001"));
    offer(server, "O-1", "A chair, 40.00 EUR, in oak.");
  }

  /** Starts a run whose last effect is lost, and returns that effect. */
  static String lost(TestServer server, String flow, String id) {
    server.mood(id, "lost");
    start(server, flow, Map.of("id", id));
    return effect(server, id);
  }

  static String effect(TestServer server, String key) {
    for (var review : server.get("/api/reviews?limit=200").body().path("items")) {
      if (review.path("key").asString().equals(key)) {
        return review.path("id").asString();
      }
    }
    throw new AssertionError("no review of '%s'".formatted(key));
  }

  /** Starts a run that asks for a release, and returns the approval. */
  static String offer(TestServer server, String id, String text) {
    String run =
        start(
            server,
            "offer",
            Map.of("id", id, "text", text, "cents", 4000, "lines", List.of("chair"), "rush", true));
    return approval(server, run);
  }

  static String approval(TestServer server, String run) {
    while (true) {
      for (var one : server.get("/api/approvals?limit=200").body().path("items")) {
        if (one.path("run").asString().equals(run)) {
          return one.path("id").asString();
        }
      }
      Thread.onSpinWait();
    }
  }

  static String start(TestServer server, String flow, Map<String, Object> input) {
    boolean isAsked = flow.equals("offer") || flow.equals("ask");
    String body = Json.write(input);
    Reply run =
        isAsked
            ? server.post("/api/flows/" + flow + "/runs", body)
            : server.post("/api/flows/" + flow + "/runs", body, WAIT);
    if (run.status() >= 300) {
      throw new AssertionError(run.raw().body());
    }
    return run.at("/id");
  }

  /** Returns a token that has these scopes only. */
  static String token(TestServer server, String name, String... scopes) {
    return server
        .post("/api/tokens", Json.write(Map.of("name", name, "scopes", List.of(scopes))))
        .at("/token");
  }
}
