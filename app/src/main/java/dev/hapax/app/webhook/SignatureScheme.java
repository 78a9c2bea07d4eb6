package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a delivery is from its sender. Several secrets may be live at once, so that one can
 * be replaced without losing a delivery.
 */
sealed interface SignatureScheme
    permits StandardWebhooks, StripeSignature, SlackSignature, HmacSignature, Unsigned {

  /** Returns whether the delivery is genuine; comparisons take the same time for any difference. */
  Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now);

  /** Returns whether a line of the secret can be a key of this scheme. */
  default boolean canUse(String secret) {
    return !secret.isEmpty();
  }

  /** Returns the event's id from a header that the signature covers; null if there is none. */
  default @Nullable String signedIdOf(WebhookDelivery delivery) {
    return null;
  }

  /** The result of a check. */
  sealed interface Verdict {
    record Genuine() implements Verdict {}

    /** Sent to the sender, so it names neither secrets nor the right value. */
    record Refused(String why) implements Verdict {}
  }
}
