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
  Verdict verify(Delivery delivery, List<String> secrets, Instant now);

  /** Returns the event's id from a header, the same on each delivery; null if it is in the body. */
  @Nullable String eventIdOf(Delivery delivery);

  /** The result of a check. */
  sealed interface Verdict {
    record Genuine() implements Verdict {}

    /** Sent to the sender, so it names neither secrets nor the right value. */
    record Refused(String why) implements Verdict {}
  }
}
