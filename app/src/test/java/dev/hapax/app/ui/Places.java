package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.Message;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Every page of the UI, by the list that the UI itself has, with hostile data on each. */
final class Places {
  /** Markup, a text that turns around, and a letter outside of the first plane. */
  static final String HOSTILE =
      "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\u202Egnp.\u2066\uD83E\uDDFE";

  private static final Path LIST =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("ui/src/main/ui/pages/index.ts");
  private static final Pattern PAGE = Pattern.compile("\\{ path: \"([^\"]+)\"");

  /** What stands for the parameters of a path. */
  private final Map<String, String> examples = new HashMap<>();

  private Places() {}

  static Places into(TestServer server) {
    var places = new Places();
    DeskSeed.into(server);
    FlowSeed.into(server);
    places.work(server);
    places.data(server);
    return places;
  }

  private void work(TestServer server) {
    // with the list more than 1,000,000 bytes; a request has at most 1 MiB
    String large = "x".repeat(960_000);
    List<Integer> many = IntStream.range(0, 10_000).boxed().toList();
    String approval = DeskSeed.offer(server, HOSTILE, HOSTILE);
    String run =
        DeskSeed.start(
            server,
            "offer",
            Map.of("id", HOSTILE + "-large", "text", HOSTILE, "large", large, "many", many));
    DeskSeed.approval(server, run);
    DeskSeed.start(server, "offer", Map.of("id", "k".repeat(400), "text", "A key of 400 letters"));
    String review = DeskSeed.lost(server, "trip", HOSTILE);
    server.post("/api/reviews/" + review + "/comments", Json.write(Map.of("text", HOSTILE)));
    String job = "{\"kind\": \"cancel\", \"filter\": {\"flow\": \"offer\"}, \"plan\": true}";
    examples.put("/runs/:id", run);
    examples.put("/reviews/:id", review);
    examples.put("/ledger/:id", review);
    examples.put("/ledger/key", "/ledger/key?name=order%2Fcharge&key=A-1001");
    examples.put("/desk/:id", approval);
    examples.put("/jobs/:id", made(server.post("/api/jobs", job)).at("/id"));
    String failed = made(server.get("/api/runs?status=failed")).at("/items/0/id");
    String replay = Json.write(Map.of("runs", List.of(failed), "plan", true));
    examples.put("/replays/:plan", made(server.post("/api/replays", replay)).at("/plan"));
    examples.put(
        "/reconciliations/:id",
        made(server.post("/api/reconciliations", "{\"flow\": \"bill\"}")).at("/id"));
  }

  private void data(TestServer server) {
    server.send(
        HttpRequest.newBuilder(URI.create(server.address() + "/hooks/shipments"))
            .setHeader("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(Json.write(Map.of("id", HOSTILE, "note", HOSTILE)))));
    server.publish("m-1", new Message("shop", "order.paid", Map.of("id", HOSTILE)));
    server.put("/api/secrets/psp", "{\"value\": \"sk_very_secret\"}");
    server.put(
        "/api/connections/psp",
        "{\"http\": {\"base\": \"https://api.example.com\", \"auth\": {\"bearer\": \"psp\"}}}");
    server.put("/api/kv/rates%2Feur", Json.write(Map.of("value", HOSTILE)));
    server.put("/api/kv/" + "k".repeat(400), "{\"value\": 1}");
    server.post("/api/tenants", "{\"name\": \"acme\"}");
    server.post("/api/tokens", Json.write(Map.of("name", HOSTILE, "scopes", List.of("runs:read"))));
    examples.put("/inbox/:id", made(server.get("/api/inbox")).at("/items/0/id"));
    examples.put("/outbox/:id", made(server.get("/api/outbox")).at("/items/0/id"));
    examples.put("/flows/:flow", "shipment");
    examples.put("/connections/:name", "psp");
  }

  private static Reply made(Reply reply) {
    if (reply.status() >= 300) {
      throw new AssertionError(reply.raw().body());
    }
    return reply;
  }

  /** Returns a path of each page. A page with parameters that has no example here fails. */
  List<String> all() throws IOException {
    return PAGE.matcher(Files.readString(LIST)).results().map(this::place).toList();
  }

  private String place(MatchResult page) {
    String path = page.group(1);
    int parameter = path.indexOf(':');
    return parameter < 0
        ? examples.getOrDefault(path, path)
        : path.substring(0, parameter)
            + Objects.requireNonNull(
                examples.get(path), () -> "Places needs an example of page " + path);
  }
}
