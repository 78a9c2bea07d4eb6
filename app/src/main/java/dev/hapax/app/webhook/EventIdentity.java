package dev.hapax.app.webhook;

import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Digest;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The id of a delivered event, which only its sender can choose: it comes from signed bytes, else
 * it is the hash of the body. A captured delivery keeps its id, no matter what else of it is
 * changed.
 *
 * @param isKnown whether an event of this id and content is in the inbox: versions before this one
 *     took ids from unsigned headers, and such an event keeps its id
 * @param fresh makes an id that no event has
 */
record EventIdentity(WebhookTrigger trigger, Predicate<String> isKnown, Supplier<String> fresh) {
  private static final String GITHUB_DELIVERY = "X-GitHub-Delivery";

  /**
   * Returns the event's id.
   *
   * @param payload {@code {headers, body}}, as expressions see it
   * @param signedHeader the id in a header that the signature covers, or that the scheme makes of
   *     the fields that it signs; null if there is none
   */
  String of(WebhookDelivery delivery, Map<String, Object> payload, @Nullable String signedHeader) {
    Template event = trigger.event();
    boolean isUsed = !trigger.verify().scheme().signsOnlyParts() || trigger.replayAllowed();
    if (event != null && isUsed) {
      String told = event.text(Scope.of(Map.of("event", payload)));
      return trigger.unsignedPartOfEvent() == null ? told : unsigned(told, delivery);
    }
    String signed = signedHeader == null ? inBody(payload) : signedHeader;
    return signed == null ? unsigned(unsignedHeader(delivery), delivery) : signed;
  }

  /** Returns the id that the provider writes into every body; null if it writes none. */
  private @Nullable String inBody(Map<String, Object> payload) {
    String field =
        switch (trigger.verify().scheme()) {
          case STRIPE -> "id";
          case SLACK, SQUARE -> "event_id";
          default -> null;
        };
    return field != null
            && payload.get("body") instanceof Map<?, ?> body
            && body.get(field) instanceof String id
        ? id
        : null;
  }

  private @Nullable String unsignedHeader(WebhookDelivery delivery) {
    return trigger.verify().scheme() == WebhookTrigger.Scheme.GITHUB
        ? delivery.header(GITHUB_DELIVERY)
        : null;
  }

  private String unsigned(@Nullable String id, WebhookDelivery delivery) {
    if (trigger.replayAllowed()) {
      return id == null ? fresh.get() : id;
    }
    return id != null && isKnown.test(id) ? id : ofBody(delivery);
  }

  /** Returns the hash of all that is signed of a delivery: its body, as a rule. */
  static String ofBody(WebhookDelivery delivery) {
    return "sha256:" + HexFormat.of().formatHex(Digest.sha256(delivery.identified()));
  }
}
