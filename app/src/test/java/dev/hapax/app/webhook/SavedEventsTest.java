package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.http.Problem;
import dev.hapax.app.release.Site;
import dev.hapax.app.release.Site.Reply;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A saved event is signed as its sender would, so that the webhook believes it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SavedEventsTest {
  /** Made of hexadecimal digits, as `hapax dev` makes them up. */
  private static final String SECRET = "0123456789abcdef".repeat(4);

  private static final String EVENT =
      "{\"id\": \"evt_1\", \"event_id\": \"Ev1\", \"data\": \"A-1\"}";

  private final ManualTime time = new ManualTime();
  private final Site site =
      new Site(
          new MemoryStore(),
          time.ports(),
          site ->
              new WebhookRoutes(
                      site.releases.hookPaths(),
                      site.live,
                      site.hapax::tenant,
                      (_, _) -> List.of(SECRET),
                      time.ports())
                  .routes());

  @AfterEach
  void close() {
    site.close();
  }

  private SavedEvents.Signed sign(String verify, String more, @Nullable String id) {
    return sign(verify, more, id, EVENT);
  }

  private SavedEvents.Signed sign(String verify, String more, @Nullable String id, String event) {
    site.goLive(
        "hook",
        """
        flow: hook
        input: {type: object, required: [data]}
        triggers:
          - webhook:
              path: shop/orders
              verify: {%s}
              %s
        steps:
          - id: keep
            set: {order: "${input.data}"}
        output: {}
        """
            .formatted(verify, more));
    var events =
        new SavedEvents(
            site.releases.hookPaths(), site.live, (_, _) -> List.of(SECRET), time.ports());
    return events.sign(
        "acme", new SavedEvents.Saved("hook", null, id, event.getBytes(StandardCharsets.UTF_8)));
  }

  private Reply deliver(SavedEvents.Signed signed) {
    return site.sendAs(
        "nobody",
        "POST",
        "/hooks/" + signed.address(),
        new String(signed.body(), StandardCharsets.UTF_8),
        signed.headers());
  }

  private static SavedEvents.Signed forged(SavedEvents.Signed signed) {
    String body = new String(signed.body(), StandardCharsets.UTF_8) + " ";
    return new SavedEvents.Signed(
        signed.address(), signed.headers(), body.getBytes(StandardCharsets.UTF_8));
  }

  private static String outcome(Reply reply) {
    return reply.json().path("outcome").asString(reply.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stripe",
        "github",
        "slack",
        "standard-webhooks",
        "shopify",
        "square, url: 'https://shop.example/hooks'",
        "hubspot, url: 'https://shop.example/hooks'",
        "zendesk",
        "calendly",
        "hmac"
      })
  void a_webhook_of_every_scheme_believes_a_saved_event_once(String scheme) {
    SavedEvents.Signed signed = sign("secret: signing, scheme: %s".formatted(scheme), "", null);
    assertThat(deliver(forged(signed)).status()).isEqualTo(401);
    assertThat(outcome(deliver(signed))).isEqualTo("accepted");
    assertThat(outcome(deliver(signed))).isEqualTo("duplicate");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scheme: stripe, secret: signing",
        "scheme: slack, secret: signing",
        "scheme: square, url: 'https://shop.example/hooks', secret: signing",
        "scheme: standard-webhooks, secret: signing"
      })
  void an_event_with_another_id_is_another_event(String verify) {
    assertThat(outcome(deliver(sign(verify, "", null)))).isEqualTo("accepted");
    assertThat(outcome(deliver(sign(verify, "", "other")))).isEqualTo("accepted");
    assertThat(outcome(deliver(sign(verify, "", "other")))).isEqualTo("duplicate");
  }

  @Test
  void the_id_is_put_where_the_trigger_reads_it() {
    String verify = "scheme: hmac, secret: signing, header: X-Shop";

    SavedEvents.Signed signed = sign(verify, "event: ${event.body.data}", "B-2");

    assertThat(new String(signed.body(), StandardCharsets.UTF_8)).contains("\"data\":\"B-2\"");
    assertThat(signed.headers()).containsKeys("X-Shop", "Content-Type");
    assertThat(outcome(deliver(signed))).isEqualTo("accepted");
  }

  @Test
  void an_id_that_is_computed_cannot_be_chosen() {
    assertThatThrownBy(() -> sign("scheme: github, secret: signing", "", "other"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("cannot be chosen");
  }

  @Test
  void a_form_is_signed_as_twilio_signs_it() {
    String verify = "scheme: twilio, url: 'https://shop.example/hooks', secret: signing";

    SavedEvents.Signed signed = sign(verify, "", null, "data=A-1&From=%2B4930");

    assertThat(signed.headers()).containsEntry("Content-Type", "application/x-www-form-urlencoded");
    assertThat(deliver(forged(signed)).status()).isEqualTo(401);
    assertThat(deliver(signed).status()).isEqualTo(204);
    assertThatThrownBy(() -> sign(verify, "", null))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("no form");
  }

  @Test
  void xero_gets_an_answer_without_a_body() {
    SavedEvents.Signed signed =
        sign("scheme: xero, secret: signing", "", null, "{\"events\": [{}], \"data\": \"A-1\"}");

    assertThat(deliver(forged(signed)).status()).isEqualTo(401);
    assertThat(deliver(signed).status()).isEqualTo(200);
  }

  @Test
  void a_body_that_carries_its_signature_gets_a_new_one() {
    String verify = "scheme: adyen, secret: signing";
    String event =
        """
        {"data": "A-1", "notificationItems": [{"NotificationRequestItem": {
          "pspReference": "P-1", "merchantAccountCode": "Shop", "eventCode": "AUTHORISATION",
          "amount": {"value": 1130, "currency": "EUR"}, "success": "true",
          "additionalData": {"hmacSignature": "of the real sender"}}}]}
        """;

    SavedEvents.Signed signed = sign(verify, "", null, event);

    assertThat(outcome(deliver(signed))).isEqualTo("accepted");
    assertThat(outcome(deliver(signed))).isEqualTo("duplicate");
    assertThatThrownBy(() -> sign(verify, "", null))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("notificationItems");
  }

  @ParameterizedTest
  @ValueSource(strings = {"discord", "sendgrid"})
  void a_public_key_signs_nothing(String scheme) {
    assertThatThrownBy(() -> sign("secret: signing, scheme: " + scheme, "", null))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("only the sender has the other half");
  }
}
