package dev.hapax.app.webhook;

import dev.hapax.flows.trigger.WebhookTrigger;
import java.util.Objects;

/** The scheme that a trigger names. */
final class Schemes {
  private static final String PLAIN_HEADER = "X-Signature";

  private Schemes() {}

  static SignatureScheme of(WebhookTrigger.Verify verify) {
    return switch (verify.scheme()) {
      case STRIPE -> StripeSignature.stripe();
      case GITHUB -> HmacSignature.gitHub();
      case SLACK -> new SlackSignature(Age.FIVE_MINUTES);
      case STANDARD_WEBHOOKS -> new StandardWebhooks(Age.FIVE_MINUTES);
      case SHOPIFY -> HmacSignature.shopify();
      case SQUARE -> JoinedSignature.square(url(verify));
      case TWILIO -> new TwilioSignature(url(verify));
      case SENDGRID -> new SendGridSignature(Age.ONE_DAY);
      case ADYEN -> new AdyenSignature();
      case HUBSPOT -> JoinedSignature.hubSpot(url(verify));
      case ZENDESK -> JoinedSignature.zendesk();
      case CALENDLY -> StripeSignature.calendly();
      case DISCORD -> new DiscordSignature(Age.ONE_DAY);
      case XERO -> HmacSignature.xero();
      case HMAC ->
          new HmacSignature(
              verify.header() == null ? PLAIN_HEADER : verify.header(),
              "",
              HmacSignature.Digits.ANY);
      case NONE -> new Unsigned();
    };
  }

  private static String url(WebhookTrigger.Verify verify) {
    return Objects.requireNonNull(verify.url(), "url of a scheme that signs it");
  }
}
