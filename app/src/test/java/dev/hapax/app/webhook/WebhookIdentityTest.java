package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Event;
import dev.hapax.Source;
import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** An event is identified by signed bytes: no header that anyone can change makes it new. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WebhookIdentityTest {
  private static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String PUSH = "{\"ref\": \"refs/heads/main\", \"after\": \"c0ffee\"}";

  private final ManualTime time = new ManualTime();
  private final Map<String, List<String>> secrets =
      new HashMap<>(Map.of("signing", List.of(SECRET)));
  private final Site site =
      new Site(
          new MemoryStore(),
          time.ports(),
          site ->
              new WebhookRoutes(
                      site.releases.hookPaths(),
                      site.live,
                      site.hapax::tenant,
                      (_, name) -> secrets.getOrDefault(name, List.of()),
                      time.ports())
                  .routes());

  @AfterEach
  void close() {
    site.close();
  }

  private void hook(String scheme, String more) {
    site.goLive(
        "hook",
        """
        flow: hook
        triggers:
          - webhook:
              path: repo
              verify: {scheme: %s, secret: signing}
        %s
        steps:
          - id: keep
            set: {done: true}
        """
            .formatted(scheme, more.indent(6)));
  }

  private Reply send(String body, Map<String, String> headers) {
    return site.sendAs("nobody", "POST", "/hooks/acme/repo", body, headers);
  }

  /** Signed as GitHub and {@code hmac} do, with these headers beside. */
  private Reply deliver(String body, String... others) {
    var headers = new HashMap<String, String>();
    headers.put("X-Hub-Signature-256", "sha256=" + sign(body));
    headers.put("X-Signature", sign(body));
    for (int i = 0; i < others.length; i += 2) {
      headers.put(others[i], others[i + 1]);
    }
    return send(body, headers);
  }

  private static String sign(String text) {
    return HexFormat.of()
        .formatHex(Hmac.sha256(Hmac.bytes(SECRET), text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String outcome(Reply reply) {
    return reply.status() + " " + reply.json().path("outcome").asString();
  }

  private JsonNode event(int index) {
    return site.get("/api/inbox").json().path("items").path(index);
  }

  @Test
  void a_captured_delivery_of_github_with_another_delivery_id_is_a_duplicate() {
    hook("github", "");

    Reply first = deliver(PUSH, "X-GitHub-Delivery", "d-1");
    Reply again = deliver(PUSH, "X-GitHub-Delivery", "d-2");
    Reply other = deliver(PUSH + " ", "X-GitHub-Delivery", "d-1");

    assertThat(outcome(first)).isEqualTo("200 accepted");
    assertThat(outcome(again)).isEqualTo("200 duplicate");
    assertThat(again.json().path("run")).isEqualTo(first.json().path("run"));
    assertThat(outcome(other)).isEqualTo("200 accepted");
    assertThat(event(1).path("redeliveries").asInt()).isEqualTo(1);
    assertThat(event(1).path("event").asString()).startsWith("sha256:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"github", "hmac", "none"})
  void the_content_type_neither_changes_the_body_nor_makes_it_new(String scheme) {
    hook(scheme, "input: ${event.body}");

    Reply first = deliver(PUSH, "Content-Type", "application/json");
    Reply again = deliver(PUSH, "Content-Type", "application/x-www-form-urlencoded");
    Reply form = deliver("payload=%7B%7D&x=1+2", "Content-Type", "application/json");

    assertThat(outcome(first)).isEqualTo("200 accepted");
    assertThat(outcome(again)).isEqualTo("200 duplicate");
    assertThat(outcome(form)).isEqualTo("200 accepted");
    assertThat(input(form)).contains("\"payload\":\"{}\"", "\"x\":\"1 2\"");
  }

  private String input(Reply accepted) {
    return Objects.requireNonNull(
        site.hapax.tenant("acme").run(accepted.json().path("run").asString()).input());
  }

  @Test
  void a_body_is_a_form_only_if_it_cannot_be_json() {
    assertThat(List.of("a=b", " a=b&c", "=", "payload=%7B%7D", "1=2"))
        .allMatch(WebhookBody::isForm);
    assertThat(List.of("", " ", "1", "true", "{\"a\": \"b=c\"}", " [\"=\"]", "\"a=b\"", "{=", "x"))
        .noneMatch(WebhookBody::isForm);
  }

  @Test
  void an_id_from_a_header_without_a_signature_is_not_used() {
    hook("hmac", "event: \"${event.headers['x-request-id']}\"");

    Reply first = deliver(PUSH, "X-Request-Id", "r-1");
    Reply again = deliver(PUSH, "X-Request-Id", "r-2");
    Reply without = deliver(PUSH);

    assertThat(outcome(first)).isEqualTo("200 accepted");
    assertThat(outcome(again)).isEqualTo("200 duplicate");
    assertThat(outcome(without)).isEqualTo("200 duplicate");
  }

  @Test
  void an_event_that_an_older_version_received_keeps_its_id() {
    hook("github", "");
    var inbox = site.hapax.tenant("acme").inbox();
    var flow = Objects.requireNonNull(site.live.find("acme", "hook")).flow();
    var stored = Map.of("ref", "refs/heads/main", "after", "c0ffee");
    var first =
        inbox.receive(
            Event.from("repo").id("d-1").payload(Map.of("headers", Map.of(), "body", stored)),
            new Source<>(Object.class, flow, _ -> stored));

    Reply redelivered = deliver(PUSH, "X-GitHub-Delivery", "d-1");
    Reply otherBody = deliver("{\"after\": \"bad\"}", "X-GitHub-Delivery", "d-1");

    assertThat(outcome(redelivered)).isEqualTo("200 duplicate");
    assertThat(redelivered.json().path("run").asString()).isEqualTo(first.run());
    assertThat(outcome(otherBody)).isEqualTo("200 accepted");
    assertThat(event(1).path("event").asString()).isEqualTo("d-1");
    assertThat(event(1).path("redeliveries").asInt()).isEqualTo(1);
  }

  @Test
  void with_replay_allowed_equal_bodies_are_different_events() {
    hook("github", "replay: allow");

    assertThat(outcome(deliver(PUSH, "X-GitHub-Delivery", "d-1"))).isEqualTo("200 accepted");
    assertThat(outcome(deliver(PUSH, "X-GitHub-Delivery", "d-2"))).isEqualTo("200 accepted");
    assertThat(outcome(deliver(PUSH, "X-GitHub-Delivery", "d-2"))).isEqualTo("200 duplicate");
    assertThat(outcome(deliver(PUSH))).isEqualTo("200 accepted");
    assertThat(outcome(deliver(PUSH))).isEqualTo("200 accepted");
  }

  @Test
  void with_replay_allowed_an_id_may_come_from_any_header() {
    hook("hmac", "replay: allow\nevent: \"${event.headers['x-request-id']}\"");

    assertThat(outcome(deliver(PUSH, "X-Request-Id", "r-1"))).isEqualTo("200 accepted");
    assertThat(outcome(deliver(PUSH, "X-Request-Id", "r-2"))).isEqualTo("200 accepted");
    assertThat(outcome(deliver(PUSH, "X-Request-Id", "r-1"))).isEqualTo("200 duplicate");
    assertThat(outcome(deliver(PUSH))).isEqualTo("200 invalid");
  }

  @Test
  void standard_webhooks_signs_its_id() {
    hook("standard-webhooks", "event: \"${event.headers['webhook-id']}\"");

    assertThat(outcome(standard("msg_1", PUSH))).isEqualTo("200 accepted");
    assertThat(outcome(standard("msg_1", PUSH))).isEqualTo("200 duplicate");
    assertThat(outcome(standard("msg_2", PUSH))).isEqualTo("200 accepted");
    assertThat(standard("msg_3", "a=b").status()).as("only JSON").isEqualTo(400);
  }

  private Reply standard(String id, String body) {
    String at = Long.toString(time.now().getEpochSecond());
    byte[] signed = (id + "." + at + "." + body).getBytes(StandardCharsets.UTF_8);
    byte[] signature = Hmac.sha256(Base64.getDecoder().decode(SECRET), signed);
    return send(
        body,
        Map.of(
            "webhook-id",
            id,
            "webhook-timestamp",
            at,
            "webhook-signature",
            "v1," + Base64.getEncoder().encodeToString(signature)));
  }

  @Test
  void a_line_of_a_secret_that_cannot_be_a_key_is_ignored() {
    hook("standard-webhooks", "");

    secrets.put("signing", List.of("whsec_%", "whpk_AAAA", SECRET));
    assertThat(outcome(standard("msg_1", PUSH))).isEqualTo("200 accepted");

    secrets.put("signing", List.of("whsec_", "whpk_AAAA", "whsec_%"));
    assertThat(standard("msg_2", PUSH).status()).isEqualTo(401);
  }
}
