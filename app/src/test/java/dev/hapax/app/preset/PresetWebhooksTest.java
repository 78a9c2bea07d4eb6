package dev.hapax.app.preset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.flows.preset.Preset;
import dev.hapax.flows.preset.PresetText;
import dev.hapax.flows.preset.Presets;
import dev.hapax.json.Json;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The webhook of each preset takes what its provider signs, once, and nothing else. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PresetWebhooksTest {
  private final ManualTime time = new ManualTime();
  private final Map<String, List<String>> secrets = new HashMap<>();
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

  /** The presets whose deliveries are signed. */
  static Stream<String> signed() {
    return Presets.all().stream()
        .filter(preset -> preset.webhook() != null && preset.fetch() == null)
        .map(Preset::preset);
  }

  /** A body as the provider sends it; {@code other} is that of another event. */
  private static String body(String preset, String which) throws IOException {
    try (InputStream in = PresetWebhooksTest.class.getResourceAsStream("events.json")) {
      JsonNode all =
          Json.tree(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
      JsonNode body = all.path(preset).path(which);
      assertThat(body.isMissingNode()).as("%s of %s", which, preset).isFalse();
      return body.isString() ? body.stringValue() : body.toString();
    }
  }

  /** Opens the webhook of a preset, and returns its provider. */
  private SigningProvider open(String name) throws GeneralSecurityException {
    Preset preset = Presets.of(name);
    Map<String, String> values = new HashMap<>();
    preset.values().forEach(value -> values.put(value.name(), value.example()));
    String trigger =
        new PresetText(preset, name, values).filled(Objects.requireNonNull(preset.webhook()));
    site.goLive(
        "trial",
        """
        flow: trial
        triggers:
          - webhook:
              %s
        steps:
          - {id: keep, set: {done: true}}
        """
            .formatted(trigger.strip().replace("\n", "\n      ")));
    var verify = (Map<?, ?>) Objects.requireNonNull(Presets.mapping("t", trigger).get("verify"));
    var provider =
        new SigningProvider(
            String.valueOf(verify.get("scheme")),
            String.valueOf(verify.get("header")),
            "https://hooks.example.com/hooks/" + name);
    secrets.put(String.valueOf(verify.get("secret")), List.of(provider.secret()));
    return provider;
  }

  private Reply send(String name, SigningProvider.Delivery delivery) {
    return site.sendAs(
        "nobody", "POST", "/hooks/acme/" + name, delivery.body(), delivery.headers());
  }

  private JsonNode events() {
    return site.get("/api/inbox").json().path("items");
  }

  private Instant now() {
    return time.ports().clock().now();
  }

  @ParameterizedTest
  @MethodSource("signed")
  void a_signed_event_is_taken_once(String name) throws Exception {
    SigningProvider provider = open(name);
    SigningProvider.Delivery first = provider.sign(body(name, "event"), now());

    assertThat(send(name, first).status()).isBetween(200, 204);
    assertThat(send(name, first).status()).isBetween(200, 204);
    time.move(Duration.ofMinutes(2));
    assertThat(send(name, provider.sign(body(name, "event"), now())).status()).isBetween(200, 204);

    assertThat(events()).hasSize(1);
    assertThat(events().path(0).path("outcome").asString()).isEqualTo("accepted");
    assertThat(events().path(0).path("redeliveries").asInt()).isEqualTo(2);

    assertThat(send(name, provider.sign(body(name, "other"), now())).status()).isBetween(200, 204);
    assertThat(events()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("signed")
  void everything_else_is_refused(String name) throws Exception {
    SigningProvider provider = open(name);
    SigningProvider.Delivery good = provider.sign(body(name, "event"), now());
    SigningProvider.Delivery other = provider.sign(body(name, "other"), now());

    // the signature of one event on the body of another
    if (good.headers().isEmpty()) { // Adyen's is inside the body
      String signature = good.body().replaceFirst(".*hmacSignature\":\"([^\"]+).*", "$1");
      String forged = other.body().replaceFirst("(hmacSignature\":\")[^\"]+", "$1" + signature);
      assertThat(send(name, new SigningProvider.Delivery(forged, Map.of())).status())
          .isEqualTo(401);
      assertThat(send(name, new SigningProvider.Delivery("{}", Map.of())).status()).isEqualTo(401);
    } else {
      assertThat(send(name, new SigningProvider.Delivery(other.body(), good.headers())).status())
          .isEqualTo(401);
    }
    for (String header : good.headers().keySet()) {
      var without = new LinkedHashMap<>(good.headers());
      without.remove(header);
      assertThat(send(name, new SigningProvider.Delivery(good.body(), without)).status())
          .as("without %s", header)
          .isEqualTo(401);
      var broken = new LinkedHashMap<>(good.headers());
      broken.put(header, "t=1,v1=00");
      assertThat(send(name, new SigningProvider.Delivery(good.body(), broken)).status())
          .as("broken %s", header)
          .isEqualTo(401);
    }
    Map<String, List<String>> right = Map.copyOf(secrets);
    String wrong = provider.otherSecret();
    secrets.replaceAll((_, _) -> List.of(wrong));
    assertThat(send(name, good).status()).as("another secret").isEqualTo(401);
    secrets.clear();
    assertThat(send(name, good).status()).as("no secret").isEqualTo(401);
    assertThat(events()).isEmpty();

    secrets.putAll(right);
    time.move(Duration.ofHours(25));
    boolean hasTime =
        good.headers().keySet().stream().anyMatch(header -> header.contains("Timestamp"))
            || good.headers().values().stream().anyMatch(value -> value.startsWith("t="));
    assertThat(send(name, good).status() == 401).as("an old delivery").isEqualTo(hasTime);
  }

  @Test
  void shopifys_event_id_is_bound_to_the_signed_body() throws Exception {
    SigningProvider provider = open("shopify");
    SigningProvider.Delivery one = provider.sign(body("shopify", "event"), now());
    SigningProvider.Delivery other = provider.sign(body("shopify", "other"), now());

    assertThat(outcome(send("shopify", with(one, "X-Shopify-Event-Id", "e-1"))))
        .isEqualTo("accepted");
    assertThat(outcome(send("shopify", with(one, "X-Shopify-Event-Id", "e-2"))))
        .as("a captured delivery with another id")
        .isEqualTo("duplicate");
    assertThat(outcome(send("shopify", with(other, "X-Shopify-Event-Id", "e-1"))))
        .as("another body with a known id")
        .isEqualTo("accepted");
  }

  @Test
  void what_adyen_does_not_sign_makes_no_new_event() throws Exception {
    SigningProvider provider = open("adyen");
    String body = provider.sign(body("adyen", "event"), now()).body();

    send("adyen", new SigningProvider.Delivery(body, Map.of()));
    Reply changed =
        send(
            "adyen",
            new SigningProvider.Delivery(body.replace("2026-11-17", "2026-11-18"), Map.of()));

    assertThat(outcome(changed)).isEqualTo("duplicate");
    assertThat(events().path(0).path("event").asString())
        .isEqualTo("AUTHORISATION:7914073381342284:true");
  }

  @Test
  void an_adyen_reference_cannot_be_moved_between_signed_fields() throws Exception {
    SigningProvider provider = open("adyen");
    String body = body("adyen", "event").replace("A-1", "x:A-1");
    String signed = provider.sign(body, now()).body();
    String moved = signed.replace("\"TestMerchant\"", "\"TestMerchant:x\"").replace("x:A-1", "A-1");

    assertThat(send("adyen", new SigningProvider.Delivery(signed, Map.of())).status())
        .isEqualTo(200);
    assertThat(send("adyen", new SigningProvider.Delivery(moved, Map.of())).status())
        .isEqualTo(401);
  }

  @Test
  void a_twilio_form_that_divides_the_signed_text_in_another_way_is_a_duplicate() throws Exception {
    SigningProvider provider = open("twilio");
    SigningProvider.Delivery good = provider.sign("Body=hello&MessageSid=SM1", now());

    send("twilio", good);
    send("twilio", new SigningProvider.Delivery("Body=helloMessageSidSM1", good.headers()));

    assertThat(events()).hasSize(1);
    assertThat(events().path(0).path("redeliveries").asInt()).isEqualTo(1);
  }

  @Test
  void discord_gets_the_answers_that_it_expects() throws Exception {
    SigningProvider provider = open("discord");

    Reply ping = send("discord", provider.sign("{\"type\":1,\"token\":\"t\",\"id\":\"1\"}", now()));
    Reply eventPing = send("discord", provider.sign("{\"version\":1,\"type\":0}", now()));
    Reply command =
        send("discord", provider.sign("{\"type\":2,\"token\":\"t\",\"id\":\"2\"}", now()));
    Reply event = send("discord", provider.sign(body("discord", "event"), now()));

    assertThat(ping.text()).isEqualTo("{\"type\":1}");
    assertThat(eventPing.status()).isEqualTo(204);
    assertThat(command.text()).isEqualTo("{\"type\":5}");
    assertThat(event.status()).isEqualTo(204);
    assertThat(events()).hasSize(2);
  }

  @Test
  void xero_gets_an_empty_answer_and_its_check_starts_nothing() throws Exception {
    SigningProvider provider = open("xero");
    String check =
        "{\"events\":[],\"firstEventSequence\":0,\"lastEventSequence\":0,\"entropy\":\"x\"}";

    Reply checked = send("xero", provider.sign(check, now()));
    Reply event = send("xero", provider.sign(body("xero", "event"), now()));

    assertThat(checked.status()).isEqualTo(200);
    assertThat(checked.text()).isEmpty();
    assertThat(event.status()).isEqualTo(200);
    assertThat(event.text()).isEmpty();
    assertThat(events()).hasSize(1);
  }

  @Test
  void every_delivery_of_mollie_is_a_hint_and_an_event_of_paypal_comes_once() throws Exception {
    open("mollie");
    var change = new SigningProvider.Delivery("id=tr_d0b0E3EA3v", Map.of());

    assertThat(outcome(send("mollie", change))).isEqualTo("accepted");
    assertThat(outcome(send("mollie", change))).as("the next change").isEqualTo("accepted");

    open("paypal");
    var event = new SigningProvider.Delivery("{\"id\": \"WH-1\", \"resource\": {}}", Map.of());
    assertThat(outcome(send("paypal", event))).isEqualTo("accepted");
    assertThat(outcome(send("paypal", event))).isEqualTo("duplicate");
  }

  private static SigningProvider.Delivery with(
      SigningProvider.Delivery delivery, String header, String value) {
    var headers = new LinkedHashMap<>(delivery.headers());
    headers.put(header, value);
    return new SigningProvider.Delivery(delivery.body(), headers);
  }

  private static String outcome(Reply reply) {
    return reply.json().path("outcome").asString();
  }
}
