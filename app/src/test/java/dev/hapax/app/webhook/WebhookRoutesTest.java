package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A webhook is believed by its signature, kept, and started once. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WebhookRoutesTest {
  private static final String SHOP =
      """
      flow: shop
      input: {type: object, required: [order]}
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: hmac, secret: shop-signing, header: X-Shop-Signature}
            event: ${event.body.id}
            object: ${event.body.data.order}
            version: ${event.body.version}
            input: ${event.body.data}
      steps:
        - id: keep
          set: {order: "${input.order}"}
      output: {order: "${steps.keep.output.order}"}
      """;

  private final ManualTime time = new ManualTime();
  private final Map<String, List<String>> secrets = new ConcurrentHashMap<>();
  private final Site site =
      new Site(
          new MemoryStore(),
          time.ports(),
          site ->
              new WebhookRoutes(
                      site.releases.hookPaths(),
                      site.live,
                      site.hapax::tenant,
                      (tenant, name) -> secrets.getOrDefault(tenant + "/" + name, List.of()),
                      time.ports())
                  .routes());

  @BeforeEach
  void listen() {
    secrets.put("acme/shop-signing", List.of("old", "new"));
    site.goLive("shop", SHOP);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String body(String id, String order, int version) {
    return """
        {"id": "%s", "version": %d, "data": {"order": "%s", "total": 40.10}}"""
        .formatted(id, version, order);
  }

  private Reply deliver(String body, String secret) {
    return site.sendAs(
        "nobody",
        "POST",
        "/hooks/acme/shop/orders",
        body,
        Map.of("X-Shop-Signature", sign(body, secret)));
  }

  private static String sign(String body, String secret) {
    return HexFormat.of()
        .formatHex(Hmac.sha256(Hmac.bytes(secret), body.getBytes(StandardCharsets.UTF_8)));
  }

  private static String outcome(Reply reply) {
    return reply.json().path("outcome").asString();
  }

  private static String run(Reply reply) {
    return reply.json().path("run").asString();
  }

  @Test
  void a_delivery_starts_a_run_and_a_redelivery_gets_it() {
    Reply first = deliver(body("evt_1", "A-1", 1), "old");
    Reply again = deliver(body("evt_1", "A-1", 1), "new");

    assertThat(first.status()).isEqualTo(200);
    assertThat(outcome(first)).isEqualTo("accepted");
    assertThat(outcome(again)).isEqualTo("duplicate");
    assertThat(run(again)).isEqualTo(run(first));
    var stored = site.hapax.tenant("acme").run(run(first));
    assertThat(stored.key()).isEqualTo("evt_1");
    assertThat(stored.input()).contains("40.10");
  }

  @Test
  void only_a_delivery_that_is_signed_by_a_live_secret_is_believed() {
    String body = body("evt_1", "A-1", 1);
    Map<String, String> unsigned = Map.of();
    Map<String, String> changed = Map.of("X-Shop-Signature", sign(body + " ", "new"));

    assertThat(deliver(body, "wrong").status()).isEqualTo(401);
    assertThat(site.sendAs("x", "POST", "/hooks/acme/shop/orders", body, unsigned).status())
        .isEqualTo(401);
    assertThat(site.sendAs("x", "POST", "/hooks/acme/shop/orders", body, changed).status())
        .isEqualTo(401);
    secrets.clear();
    Reply noSecret = deliver(body, "new");
    assertThat(noSecret.status()).isEqualTo(401);
    assertThat(noSecret.text()).doesNotContain("shop-signing");
    assertThat(site.get("/api/inbox").json().path("items")).isEmpty();
  }

  /** Every reader of the inbox could use them. */
  @Test
  void headers_with_credentials_are_not_kept() {
    String body = body("evt_1", "A-1", 1);
    var headers = new HashMap<String, String>();
    headers.put("X-Shop-Signature", sign(body, "new"));
    headers.put("X-Shop-Topic", "kept-topic");
    for (String name :
        List.of(
            "Authorization",
            "Proxy-Authorization",
            "Cookie",
            "X-Api-Key",
            "apikey",
            "X-Gitlab-Token",
            "PRIVATE-TOKEN",
            "X-Auth-Token",
            "X-Amz-Security-Token",
            "X-Shop-Secret",
            "X-Shop-Password")) {
      headers.put(name, "credential-of-" + name);
    }

    Reply reply = site.sendAs("nobody", "POST", "/hooks/acme/shop/orders", body, headers);

    assertThat(outcome(reply)).isEqualTo("accepted");
    String id = site.get("/api/inbox").json().at("/items/0/id").asString();
    String kept = site.get("/api/inbox").text() + site.get("/api/inbox/" + id).text();
    assertThat(kept).contains("kept-topic").doesNotContainIgnoringCase("credential-of-");
  }

  @Test
  void what_cannot_be_read_is_an_error_and_what_cannot_be_understood_is_kept() {
    Reply unreadable = deliver("{\"id\": ", "new");
    Reply twice = deliver("{\"id\": 1, \"id\": 2}", "new");
    Reply invalid =
        deliver("{\"id\": \"evt_9\", \"version\": 1, \"data\": {\"order\": null}}", "new");
    Reply noId = deliver("{\"other\": 1}", "new");

    assertThat(unreadable.status()).isEqualTo(400);
    assertThat(twice.status()).isEqualTo(400);
    assertThat(invalid.status()).isEqualTo(200);
    assertThat(outcome(invalid)).isEqualTo("invalid");
    assertThat(outcome(noId)).isEqualTo("invalid");
    assertThat(invalid.json().path("run").isNull()).isTrue();
    assertThat(site.get("/api/inbox?outcome=invalid").json().path("items")).hasSize(2);
  }

  private Reply deliver(String id, String version, int total) {
    return deliver(
        """
        {"id": "%s", "version": %s, "data": {"order": "A-1", "total": %d}}"""
            .formatted(id, version, total),
        "new");
  }

  @Test
  void an_equal_version_with_other_input_starts_a_run_and_with_the_same_input_none() {
    Reply first = deliver("evt_1", "5", 40);
    Reply same = deliver("evt_2", "\"5\"", 40);
    Reply tied = deliver("evt_3", "5.0", 45);

    assertThat(outcome(first)).isEqualTo("accepted");
    assertThat(outcome(same)).isEqualTo("duplicate");
    assertThat(run(same)).isEqualTo(run(first));
    assertThat(outcome(tied)).isEqualTo("accepted");
    assertThat(run(tied)).isNotEqualTo(run(first));
    assertThat(site.get("/api/inbox?event=evt_3").json().path("items").path(0).path("version"))
        .hasToString("5");
  }

  @Test
  void a_large_version_is_exact_and_one_of_another_type_is_invalid() {
    deliver("evt_1", "123456789012345678901234567890", 40);

    assertThat(outcome(deliver("evt_2", "123456789012345678901234567889", 41))).isEqualTo("stale");
    assertThat(outcome(deliver("evt_3", "123456789012345678901234567890", 40)))
        .isEqualTo("duplicate");
    Reply other = deliver("evt_4", "\"2026-11-17T04:00:00Z\"", 42);
    assertThat(outcome(other)).isEqualTo("invalid");
    assertThat(other.json().path("detail").asString()).contains("a time").contains("a number");
    assertThat(outcome(deliver("evt_5", "123456789012345678901234567891", 43)))
        .isEqualTo("accepted");
    assertThat(outcome(deliver("evt_6", "true", 44))).isEqualTo("invalid");
  }

  @Test
  void a_tie_waits_for_a_person_if_the_webhook_says_so() {
    site.goLive("shop", SHOP.replace("input: ${event", "tie: review\n      input: ${event"));
    deliver("evt_1", "5", 40);

    Reply tied = deliver("evt_2", "5", 45);
    String id =
        site.get("/api/inbox?outcome=review").json().path("items").path(0).path("id").asString();
    Reply applied = site.post("/api/inbox/" + id + "/retry", Map.of());

    assertThat(tied.status()).isEqualTo(200);
    assertThat(outcome(tied)).isEqualTo("review");
    assertThat(tied.json().path("run").isNull()).isTrue();
    assertThat(outcome(applied)).isEqualTo("accepted");
    assertThat(site.get("/api/inbox?outcome=review").json().path("items").size()).isZero();
  }

  @Test
  void an_older_version_of_an_object_is_stale() {
    deliver(body("evt_2", "A-1", 2), "new");
    Reply older = deliver(body("evt_1", "A-1", 1), "new");

    assertThat(outcome(older)).isEqualTo("stale");
    assertThat(older.json().path("detail").asString()).contains("version 1 of 'A-1'");
  }

  @Test
  void an_invalid_event_is_tried_again_with_a_release_that_understands_it() {
    String odd = "{\"id\": \"evt_1\", \"version\": 1, \"data\": {\"order\": \"A-1\", \"nr\": 1}}";
    site.goLive("shop", SHOP.replace("required: [order]", "required: [number]"));
    time.move(Duration.ofSeconds(2));
    Reply invalid = deliver(odd, "new");
    String id =
        site.get("/api/inbox?event=evt_1").json().path("items").path(0).path("id").asString();
    site.put("/api/flows/shop/live", Map.of("release", 1));

    Reply retried = site.post("/api/inbox/" + id + "/retry", Map.of());
    Reply again = site.post("/api/inbox/" + id + "/retry", Map.of());
    Reply foreign = site.sendAs("umbrella", "POST", "/api/inbox/" + id + "/retry", null, Map.of());

    assertThat(outcome(invalid)).isEqualTo("invalid");
    assertThat(outcome(retried)).isEqualTo("accepted");
    assertThat(again.status()).isEqualTo(409);
    assertThat(foreign.status()).isEqualTo(404);
    var event = site.get("/api/inbox/" + id).json();
    assertThat(event.path("payload").path("body").path("data").path("nr").asInt()).isEqualTo(1);
    assertThat(event.path("payload").path("headers").has("authorization")).isFalse();
  }

  @Test
  void the_events_of_a_time_are_tried_again_oldest_first_and_start_nothing_twice() {
    deliver(body("evt_0", "A-0", 1), "new");
    time.move(Duration.ofHours(1));
    String from = time.ports().clock().now().toString();
    deliver(body("evt_1", "A-1", 1), "new");
    site.goLive("shop", SHOP.replace("required: [order]", "required: [number]"));
    time.move(Duration.ofSeconds(2));
    for (int i = 2; i <= 5; i++) {
      assertThat(outcome(deliver(body("evt_" + i, "A-" + i, 1), "new"))).isEqualTo("invalid");
    }
    time.move(Duration.ofSeconds(2));
    String to = time.ports().clock().now().toString();
    deliver(body("evt_6", "A-6", 1), "new");
    site.put("/api/flows/shop/live", Map.of("release", 1));
    time.move(Duration.ofSeconds(2));
    var range = Map.<String, Object>of("from", from, "to", to);

    Reply dry = replay(range, Map.of("dryRun", true));
    Reply part = replay(range, Map.of("limit", 3));
    Reply rest = replay(range, Map.of("after", part.json().path("next").asString()));
    Reply again = replay(range, Map.of());

    assertThat(dry.json().path("totals")).hasToString("{\"accepted\":5}");
    assertThat(dry.json().path("items").path(0).path("was").asString()).isEqualTo("accepted");
    assertThat(part.json().path("items").findValuesAsString("event"))
        .containsExactly("evt_2", "evt_3", "evt_4");
    assertThat(part.json().path("totals")).hasToString("{\"accepted\":3}");
    assertThat(rest.json().path("items").findValuesAsString("event")).containsExactly("evt_5");
    assertThat(rest.json().path("next").isNull()).isTrue();
    assertThat(again.json().path("items").size()).isZero();
    assertThat(
            site.get("/api/inbox?outcome=invalid").json().path("items").findValuesAsString("event"))
        .containsExactly("evt_6");
    assertThat(site.get("/api/inbox?outcome=accepted").json().path("items").size()).isEqualTo(6);
  }

  @Test
  void a_replay_that_makes_no_sense_is_refused() {
    String now = time.ports().clock().now().toString();

    assertThat(replay(Map.of("from", now, "to", now), Map.of()).status()).isEqualTo(400);
    assertThat(replay(Map.of("from", "yesterday", "to", now), Map.of()).status()).isEqualTo(400);
    assertThat(replay(Map.of("from", "+999999999-12-31T23:59:59Z", "to", now), Map.of()).status())
        .isEqualTo(400);
    assertThat(replay(Map.of(), Map.of()).status()).isEqualTo(400);
    Map<String, Object> all = Map.of("from", "2020-01-01T00:00:00Z", "to", "2100-01-01T00:00:00Z");
    assertThat(replay(all, Map.of("limit", 201)).status()).isEqualTo(400);
    assertThat(replay(all, Map.of("after", "i-!")).status()).isEqualTo(400);
    assertThat(replay(all, Map.of("outcomes", List.of("accepted"))).status()).isEqualTo(400);
    assertThat(replay(all, Map.of("outcomes", List.of())).status()).isEqualTo(400);
    assertThat(replay(all, Map.of("outcomes", List.of("accepted"), "dryRun", true)).status())
        .isEqualTo(200);
  }

  private Reply replay(Map<String, Object> range, Map<String, Object> more) {
    var body = new HashMap<>(range);
    body.putAll(more);
    return site.post("/api/inbox/replay", body);
  }

  @Test
  void the_inbox_is_listed_in_pages_and_searched() {
    for (int i = 0; i < 5; i++) {
      deliver(body("evt_" + i, "A-" + i, 1), "new");
    }

    var page = site.get("/api/inbox?limit=2").json();
    var next = site.get("/api/inbox?limit=2&after=" + page.path("next").asString()).json();

    assertThat(page.path("items").path(0).path("event").asString()).isEqualTo("evt_4");
    assertThat(next.path("items").path(0).path("event").asString()).isEqualTo("evt_2");
    assertThat(site.get("/api/inbox?source=shop/orders").json().path("items")).hasSize(5);
    assertThat(site.get("/api/inbox?source=other").json().path("items")).isEmpty();
    assertThat(site.get("/api/inbox?outcome=lost").status()).isEqualTo(400);
    assertThat(site.sendAs("umbrella", "GET", "/api/inbox", null, Map.of()).json().path("items"))
        .isEmpty();
  }

  @Test
  void slack_shakes_hands_after_its_signature_was_checked() {
    secrets.put("acme/slack", List.of("s"));
    site.goLive(
        "chat",
        """
        flow: chat
        triggers:
          - webhook: {path: slack, verify: {scheme: slack, secret: slack}}
        steps:
          - id: keep
            set: {done: true}
        output: {done: "${steps.keep.output.done}"}
        """);
    String hello = "{\"type\": \"url_verification\", \"challenge\": \"c\"}";

    Reply answered = slack(hello, "s");
    Reply forged = slack(hello, "wrong");
    Reply event = slack("{\"type\": \"event_callback\", \"event_id\": \"Ev1\"}", "s");

    assertThat(answered.json().path("challenge").asString()).isEqualTo("c");
    assertThat(forged.status()).isEqualTo(401);
    assertThat(outcome(event)).isEqualTo("accepted");
    assertThat(site.hapax.tenant("acme").run(run(event)).key()).isEqualTo("Ev1");
  }

  private Reply slack(String body, String secret) {
    String now = Long.toString(time.now().getEpochSecond());
    return site.sendAs(
        "x",
        "POST",
        "/hooks/acme/slack",
        body,
        Map.of(
            "X-Slack-Request-Timestamp",
            now,
            "X-Slack-Signature",
            "v0=" + sign("v0:" + now + ":" + body, secret)));
  }

  @Test
  void a_path_without_a_live_release_is_not_found() {
    assertThat(site.sendAs("x", "POST", "/hooks/nowhere", "{}", Map.of()).status()).isEqualTo(404);
    site.goLive("shop", SHOP.replace("path: shop/orders", "path: shop/moved"));
    time.move(Duration.ofSeconds(2));

    assertThat(deliver(body("evt_1", "A-1", 1), "new").status()).isEqualTo(404);
    assertThat(Objects.requireNonNull(site.releases.hookPaths().owner("acme/shop/moved")).flow())
        .isEqualTo("shop");
  }
}
