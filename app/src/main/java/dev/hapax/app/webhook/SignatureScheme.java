package dev.hapax.app.webhook;

import dev.hapax.app.http.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a delivery is from its sender. Several secrets may be live at once, so that one can
 * be replaced without losing a delivery.
 */
sealed interface SignatureScheme
    permits StandardWebhooks,
        StripeSignature,
        SlackSignature,
        HmacSignature,
        JoinedSignature,
        TwilioSignature,
        SendGridSignature,
        DiscordSignature,
        AdyenSignature,
        Unsigned {

  /** Returns whether the delivery is genuine; comparisons take the same time for any difference. */
  Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now);

  /**
   * Returns the headers by which the sender would prove this delivery.
   *
   * @param secret one that {@link #canSign}
   */
  default Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    throw Problem.notPossible(
        "this signature cannot be made here: only the sender has the key that makes it");
  }

  /**
   * Returns the body as the sender would sign it: the same, unless it carries its signature itself.
   *
   * @param secret one that {@link #canSign}
   */
  default byte[] withSignature(byte[] body, String secret) {
    return body;
  }

  /** The id and the time that a sender puts beside a delivery, if its scheme has a place for it. */
  record Stamp(String id, Instant at) {
    String seconds() {
      return Age.Unit.SECONDS.write(at);
    }
  }

  /** Returns whether a line of the secret can also sign: a public key only verifies. */
  default boolean canSign(String secret) {
    return canUse(secret);
  }

  /** Returns whether a line of the secret can be a key of this scheme. */
  default boolean canUse(String secret) {
    return !secret.isEmpty();
  }

  /**
   * Returns the event's id from what the signature covers beside or instead of the body; or null.
   */
  default @Nullable String signedIdOf(WebhookDelivery delivery) {
    return null;
  }

  /** Returns the bytes whose hash identifies a delivery without an id: all that is signed of it. */
  default byte[] identified(WebhookDelivery delivery) {
    return delivery.body();
  }

  /** The result of a check. */
  sealed interface Verdict {
    record Genuine() implements Verdict {}

    /** Sent to the sender, so it names neither secrets nor the right value. */
    record Refused(String why) implements Verdict {}
  }
}
