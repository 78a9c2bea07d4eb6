package dev.hapax.app.webhook;

import dev.hapax.app.http.RouteAnswer;
import dev.hapax.flows.trigger.WebhookTrigger.Scheme;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers in the form that a sender expects, where it expects more than a 2xx. */
final class SenderReply {
  private static final int DISCORD_EVENT_PING = 0;
  private static final int DISCORD_PING = 1;

  /** Discord shows that the answer comes later; a step of the flow sends it. */
  private static final int DISCORD_DEFERRED = 5;

  /** Xero takes no other status than 200, and no body. */
  private static final RouteAnswer EMPTY = RouteAnswer.noContent().status(200);

  private SenderReply() {}

  /**
   * Returns the answer to a genuine delivery that only checks the address and is no event; null for
   * all others.
   */
  static @Nullable RouteAnswer toCheck(Scheme scheme, Object content) {
    if (!(content instanceof Map<?, ?> body)) {
      return null;
    }
    return switch (scheme) {
      case SLACK ->
          "url_verification".equals(body.get("type"))
                  && body.get("challenge") instanceof String challenge
              ? RouteAnswer.ok(Map.of("challenge", challenge))
              : null;
      case DISCORD -> {
        if (isInteraction(body)) {
          yield isType(body, DISCORD_PING) ? RouteAnswer.ok(Map.of("type", DISCORD_PING)) : null;
        }
        yield isType(body, DISCORD_EVENT_PING) ? RouteAnswer.noContent() : null;
      }
      case XERO -> body.get("events") instanceof List<?> events && !events.isEmpty() ? null : EMPTY;
      default -> null;
    };
  }

  /** Returns the answer to an event that is durable now. */
  static RouteAnswer to(Scheme scheme, Object content, Receipt receipt) {
    return switch (scheme) {
      case DISCORD ->
          content instanceof Map<?, ?> body && isInteraction(body)
              ? RouteAnswer.ok(Map.of("type", DISCORD_DEFERRED))
              : RouteAnswer.noContent();
      case TWILIO -> RouteAnswer.noContent(); // it would read a body as instructions
      case XERO -> EMPTY;
      default -> RouteAnswer.ok(receipt);
    };
  }

  /** An interaction has a token for its answer, a webhook event has none. */
  private static boolean isInteraction(Map<?, ?> body) {
    return body.get("token") instanceof String;
  }

  private static boolean isType(Map<?, ?> body, int type) {
    return body.get("type") instanceof Number number && number.intValue() == type;
  }
}
