package dev.hapax.app.ui;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A day of a shop with something to see on every page: orders, refused cards, an answer that was
 * lost, a busy warehouse, refunds that wait for a person, and repeats that were stopped.
 */
final class ShopDay implements AutoCloseable {
  private static final String[] WAIT = {"Prefer", "wait=20"};
  private static final Duration STEP = Duration.ofMinutes(20);
  private static final int STEPS = 72;
  private static final List<String> ARTICLES =
      List.of(
          "oak-chair",
          "oak-table",
          "desk-lamp",
          "wool-rug",
          "birch-shelf",
          "linen-sofa",
          "floor-lamp",
          "side-table",
          "coat-rack",
          "bookcase",
          "footstool",
          "mirror");
  private static final List<String> PEOPLE =
      List.of("ada@example.com", "grace@example.org", "linus@example.net", "joan@example.com");

  /** An order with many articles. */
  static final String LOOP = "A-10996";

  final TestServer server;
  final ShopOutside outside = new ShopOutside();
  private final PastClock clock = new PastClock(STEP.multipliedBy(STEPS));
  private final Random random = new Random(7);
  private int orders = 10_710;

  ShopDay(Path folder) throws IOException {
    server = TestServer.at(clock, folder);
    settings();
    ShopFlows.ALL.forEach(server::release);
    for (int step = STEPS; step > 0; step--) {
      clock.isBehind(STEP.multipliedBy(step));
      hour(step * 20 / 60.0);
    }
    clock.isBehind(Duration.ZERO);
    today();
  }

  private void settings() {
    for (String name : List.of("payments", "warehouse", "carrier", "books")) {
      server.put("/api/secrets/" + name, "{\"value\": \"sk_%s\"}".formatted(name));
      Map<String, Object> http = new HashMap<>();
      http.put("base", outside.base());
      http.put("privateHosts", List.of("127.0.0.1"));
      http.put("notApplied", List.of(503));
      if (name.equals("payments")) {
        http.put("limits", Map.of("rate", Map.of("limit", 50, "per", "1s"), "calls", 20));
      }
      made(server.put("/api/connections/" + name, Json.write(Map.of("http", http))));
    }
    server.put("/api/secrets/partner", "{\"value\": \"whsec_c2lnbmluZw==\"}");
    Map<String, Object> partner =
        Map.of(
            "url",
            outside.base() + "/hooks",
            "secret",
            "partner",
            "privateHosts",
            List.of("127.0.0.1"));
    made(server.put("/api/connections/partner", Json.write(Map.of("webhook", partner))));
  }

  /** More by day than by night, and now and then something that goes wrong. */
  private void hour(double ago) {
    double busy = 1.2 + Math.cos((ago - 6) / 24 * 2 * Math.PI);
    int count = (int) Math.round(busy * 2 + random.nextInt(3));
    for (int i = 0; i < count; i++) {
      String order = nextOrder();
      int luck = random.nextInt(40);
      if (luck == 0) {
        outside.mood("charges", order, "refused");
      } else if (luck == 1) {
        outside.mood("picks", order, "unknown");
      }
      webhook(order, order(order, 1 + random.nextInt(2)));
      for (int again = random.nextInt(7); again > 4; again--) {
        webhook(order, order(order, 1));
      }
    }
    if (random.nextInt(3) == 0) {
      run("invoice", Map.of("order", "A-" + orders, "cents", 4_900));
    }
    if (random.nextInt(9) == 0) {
      run("refund", Map.of("order", "A-" + (orders - 3), "total", 39, "reason", "damaged"));
    }
    server.post("/api/flows/stock-report/runs", Json.write(Map.of("day", "hour " + orders)));
  }

  private void today() {
    outside.isSlow();
    run("checkout", order(LOOP, 12));
    for (String lost : List.of("A-10977", "A-10981", "A-10990")) {
      outside.mood("parcels", lost, "lost");
      start("checkout", order(lost, 3));
    }
    outside.mood("shelves", "A-10655", "unknown");
    start("return-goods", Map.of("order", "A-10655"));
    for (String busy : List.of("A-10984", "A-10986")) {
      outside.mood("picks", busy, "busy");
      start("checkout", order(busy, 2));
    }
    outside.mood("charges", "A-10992", "refused");
    run("checkout", order("A-10992", 2));
    start("refund", Map.of("order", "A-10702", "total", 890, "reason", "arrived with a scratch"));
    start("refund", Map.of("order", "A-10744", "total", 249, "reason", "ordered twice"));
    offer("Northwind Ltd", "Six oak chairs and a table", 1_890);
    offer("Hotel Seeblick", "Forty desk lamps", 2_360);
    offer("Ada Lovelace", "A linen sofa in sand", 1_290);
    for (int i = 0; i < 6; i++) {
      String order = nextOrder();
      start("checkout", order(order, 1 + i % 3));
      start("checkout", order(order, 1 + i % 3));
    }
    await(() -> count("/api/reviews") >= 3 && count("/api/approvals?state=open") >= 5);
    await(() -> count("/api/runs?status=running") == 0);
    people();
    data();
    releases();
  }

  private void people() {
    var reviews = server.get("/api/reviews").body().path("items");
    String id = reviews.path(0).path("id").asString();
    server.post("/api/reviews/" + id + "/assign", "{\"assignee\": \"grace\"}");
    server.post(
        "/api/reviews/" + id + "/comments",
        "{\"text\": \"Asked the carrier, they answer by noon.\"}");
    for (String[] one :
        new String[][] {
          {"shop", "runs:write runs:read"},
          {"finance-desk", "approvals:read approvals:decide runs:read"},
          {"deploy-pipeline", "flows:write connections:write"},
          {"grafana", "metrics:read"}
        }) {
      made(
          server.post(
              "/api/tokens", Json.write(Map.of("name", one[0], "scopes", one[1].split(" ")))));
    }
    for (String tenant : List.of("outlet", "wholesale", "staging")) {
      made(server.post("/api/tenants", Json.write(Map.of("name", tenant))));
    }
    made(server.post("/api/tenants/staging/suspend", "{\"reason\": \"the load test is over\"}"));
    made(server.put("/api/tenants/outlet/quotas", "{\"runsPerDay\": 5000, \"runsInMemory\": 200}"));
  }

  private void data() {
    server.put("/api/kv/rates%2Feur-usd", "{\"value\": 1.0871, \"ttl\": \"1d\"}");
    server.put("/api/kv/rates%2Feur-gbp", "{\"value\": 0.8412, \"ttl\": \"1d\"}");
    server.put(
        "/api/kv/coupon%2FAUTUMN-26", "{\"value\": {\"order\": \"A-10655\", \"percent\": 15}}");
    server.put(
        "/api/kv/coupon%2FWELCOME", "{\"value\": {\"order\": \"A-10702\", \"percent\": 10}}");
    server.put("/api/kv/carrier%2Fcutoff", "{\"value\": \"16:30\"}");
    for (int day = 1; day <= 3; day++) {
      server.post("/api/resources", Json.write(Map.of("price-list", day, "articles", ARTICLES)));
    }
    webhook("evt-broken", Map.of("order", "A-20001", "note", "no total"));
  }

  /** A second release of the checkout that is live, and a draft with findings. */
  private void releases() {
    String longer = ShopFlows.CHECKOUT.replace("within: 20h", "within: 22h");
    draft(longer);
    made(server.post("/api/flows/checkout/releases", "{\"note\": \"Tries longer to charge\"}"));
    made(server.put("/api/flows/checkout/live", "{\"release\": 2}"));
    draft(
        longer
            .replace("output: {parcel: \"${steps.parcel.", "output: {parcel: \"${steps.parcels.")
            .replace(
                "key: \"${input.order}\", guard: none, externalId",
                "key: \"${now()}\", guard: none, externalId"));
    server.delete("/api/flows/print-labels/live");
  }

  private void draft(String text) {
    made(
        server.send(
            server
                .request("/api/flows/checkout/draft")
                .setHeader("Content-Type", "application/yaml")
                .PUT(BodyPublishers.ofString(text))));
  }

  private String nextOrder() {
    orders++;
    return "A-" + orders;
  }

  private Map<String, Object> order(String order, int lines) {
    int number = Integer.parseInt(order.substring(2));
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("order", order);
    input.put("total", 19 + number % 37 * 20);
    input.put("customer", PEOPLE.get(number % PEOPLE.size()));
    input.put("carrier", List.of("dhl", "ups", "gls").get(number % 3));
    input.put(
        "lines",
        IntStream.range(0, lines)
            .mapToObj(i -> ARTICLES.get((number + i) % ARTICLES.size()))
            .map(sku -> Map.of("sku", sku, "count", 1))
            .toList());
    return input;
  }

  private void offer(String customer, String text, int euros) {
    start("offer", Map.of("customer", customer, "text", text, "euros", euros));
  }

  private void webhook(String event, Map<String, Object> body) {
    server.send(
        HttpRequest.newBuilder(URI.create(server.address() + "/hooks/shop/orders"))
            .setHeader("Content-Type", "application/json")
            .setHeader("X-Event", event)
            .POST(BodyPublishers.ofString(Json.write(body))));
  }

  String start(String flow, Map<String, Object> input) {
    return made(server.post("/api/flows/" + flow + "/runs", Json.write(input))).at("/id");
  }

  String run(String flow, Map<String, Object> input) {
    return made(server.post("/api/flows/" + flow + "/runs", Json.write(input), WAIT)).at("/id");
  }

  /** Returns a member of the first item of a list. */
  String first(String list, String member) {
    return made(server.get(list)).at("/items/0/" + member);
  }

  private int count(String list) {
    return server.get(list).body().path("items").size();
  }

  static void await(BooleanSupplier isTrue) {
    while (!isTrue.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  static Reply made(Reply reply) {
    if (reply.status() >= 300) {
      throw new AssertionError(reply.raw().body());
    }
    return reply;
  }

  @Override
  public void close() {
    server.close();
    outside.close();
  }
}
