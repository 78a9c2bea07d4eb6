package dev.hapax.flows.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What check says about signature schemes that need or sign something special. */
class WebhookSchemeTest {
  private static List<Finding> findings(String webhook) {
    return Check.check(
            "f.yaml",
            """
            flow: trial
            key: ${input.id}
            triggers:
              - webhook: {path: shop, %s}
            steps:
              - {id: keep, set: {id: "${input.id}"}}
            output: {id: "${steps.keep.output.id}"}
            """
                .formatted(webhook))
        .findings();
  }

  @Test
  void a_scheme_that_signs_the_address_needs_it_and_others_refuse_it() {
    for (String scheme : List.of("square", "twilio", "hubspot")) {
      assertThat(findings("verify: {scheme: %s, secret: s}".formatted(scheme)))
          .anyMatch(
              finding -> finding.message().contains("verify needs 'url' for scheme " + scheme));
    }
    assertThat(findings("verify: {scheme: stripe, secret: s, url: \"https://a.example/\"}"))
        .anyMatch(finding -> finding.message().equals("scheme stripe does not sign the address"));
    assertThat(
            findings(
                "verify: {scheme: square, secret: s, url: \"https://a.example/hooks/shop\"}, event: \"${event.body.event_id}\""))
        .isEmpty();
    assertThat(findings("verify: {scheme: square, secret: s, url: shop}"))
        .anyMatch(finding -> finding.message().contains("url"));
  }

  @Test
  void an_id_from_what_is_not_signed_as_a_whole_is_reported() {
    assertThat(findings("verify: {scheme: adyen, secret: s}, event: \"${event.body.live}\""))
        .extracting(Finding::rule, Finding::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "webhook-unsigned-id",
                "the event id of webhook 'shop' reads event, which the sender does not sign as a whole; the signed event code with its reference is the id instead"));
  }

  @Test
  void senders_that_sign_no_id_need_no_expression() {
    for (String scheme : List.of("github", "shopify", "adyen", "discord")) {
      assertThat(findings("verify: {scheme: %s, secret: s}".formatted(scheme))).isEmpty();
    }
    assertThat(findings("verify: {scheme: zendesk, secret: s}"))
        .extracting(Finding::rule)
        .containsExactly("webhook-without-event");
  }

  @Test
  void an_unknown_scheme_gets_a_suggestion() {
    assertThat(findings("verify: {scheme: shopfy, secret: s}"))
        .anyMatch(finding -> finding.message().contains("shopify"));
  }
}
