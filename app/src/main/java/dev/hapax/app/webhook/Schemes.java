package dev.hapax.app.webhook;

import dev.hapax.flows.trigger.WebhookTrigger;

/** The scheme that a trigger names. */
final class Schemes {
  private static final String PLAIN_HEADER = "X-Signature";

  private Schemes() {}

  static SignatureScheme of(WebhookTrigger.Verify verify) {
    return switch (verify.scheme()) {
      case STRIPE -> new StripeSignature(Age.FIVE_MINUTES);
      case GITHUB -> HmacSignature.gitHub();
      case SLACK -> new SlackSignature(Age.FIVE_MINUTES);
      case STANDARD_WEBHOOKS -> new StandardWebhooks(Age.FIVE_MINUTES);
      case HMAC ->
          new HmacSignature(
              verify.header() == null ? PLAIN_HEADER : verify.header(),
              "",
              HmacSignature.Digits.ANY);
      case NONE -> new Unsigned();
    };
  }
}
