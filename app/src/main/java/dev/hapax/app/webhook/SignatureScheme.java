package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a sender proves that a delivery is its own. Several secrets may be live at once, so that one
 * can be replaced without losing a delivery.
 */
sealed interface SignatureScheme
    permits StandardWebhooks, StripeSignature, SlackSignature, HmacSignature, Unsigned {

  /** Whether the delivery is genuine; comparisons take the same time whatever differs. */
  Verdict verify(Delivery delivery, List<String> secrets, Instant now);

  /** The event's id as a header tells it, the same on each delivery; null if the body tells it. */
  @Nullable String eventIdOf(Delivery delivery);

  /** What became of a check. */
  sealed interface Verdict {
    record Genuine() implements Verdict {}

    /** Said to the sender, so it names neither secrets nor what would have been right. */
    record Refused(String why) implements Verdict {}
  }
}
