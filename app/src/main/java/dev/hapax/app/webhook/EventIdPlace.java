package dev.hapax.app.webhook;

import dev.hapax.app.http.Problem;
import dev.hapax.flows.expression.Reach;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The place in a delivery from which a trigger reads the event's id. */
sealed interface EventIdPlace {
  /** Puts an id there; null leaves the id that the event has. */
  default Placed put(@Nullable String id, byte[] body) {
    return id == null ? new Placed(body, Map.of(), null) : put(id, body.clone(), this);
  }

  /**
   * A body and the headers that carry its id.
   *
   * @param stampId for the scheme itself; null if it has no place for one
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Placed(byte[] body, Map<String, String> headers, @Nullable String stampId) {}

  /** Members of the body, from the outermost. */
  record InBody(List<String> path) implements EventIdPlace {}

  /** A header of its own. */
  record InHeader(String name) implements EventIdPlace {}

  /** The header that the scheme signs. */
  record InScheme() implements EventIdPlace {}

  /** The id is computed, for example the hash of the body. */
  record Computed() implements EventIdPlace {}

  static EventIdPlace of(WebhookTrigger trigger) {
    Template event = trigger.event();
    if (event != null) {
      return trigger.unsignedPartOfEvent() == null || trigger.replayAllowed()
          ? ofTemplate(event, trigger)
          : new Computed();
    }
    return switch (trigger.verify().scheme()) {
      case STRIPE -> new InBody(List.of("id"));
      case SLACK, SQUARE -> new InBody(List.of("event_id"));
      case STANDARD_WEBHOOKS -> new InScheme();
      case GITHUB -> trigger.replayAllowed() ? new InHeader("X-GitHub-Delivery") : new Computed();
      default -> new Computed();
    };
  }

  private static EventIdPlace ofTemplate(Template event, WebhookTrigger trigger) {
    Reach reach = event.reach();
    if (reach.paths().size() != 1 || !reach.functions().isEmpty()) {
      return new Computed();
    }
    List<String> path = reach.paths().iterator().next();
    if (path.size() > 2 && path.subList(0, 2).equals(List.of("event", "body"))) {
      return new InBody(path.subList(2, path.size()));
    }
    if (path.size() == 3 && path.subList(0, 2).equals(List.of("event", "headers"))) {
      boolean isStamp =
          trigger.verify().scheme() == WebhookTrigger.Scheme.STANDARD_WEBHOOKS
              && path.getLast().equals("webhook-id");
      return isStamp ? new InScheme() : new InHeader(path.getLast());
    }
    return new Computed();
  }

  private static Placed put(String id, byte[] body, EventIdPlace place) {
    return switch (place) {
      case InBody(var path) -> new Placed(changed(body, path, id), Map.of(), null);
      case InHeader(var name) -> new Placed(body, Map.of(name, id), null);
      case InScheme() -> new Placed(body, Map.of(), id);
      case Computed() ->
          throw Problem.notPossible(
              "the id of this event is computed from the delivery, so it cannot be chosen. Change the saved event instead");
    };
  }

  private static byte[] changed(byte[] body, List<String> path, String id) {
    JsonNode whole;
    try {
      whole = Json.tree(new String(body, StandardCharsets.UTF_8));
    } catch (NotSerializable e) {
      throw Problem.invalidInput("the saved event is not JSON, so its id cannot be replaced");
    }
    JsonNode owner = whole;
    for (String member : path.subList(0, path.size() - 1)) {
      owner = owner.path(member);
    }
    if (!(owner instanceof ObjectNode members)) {
      throw Problem.invalidInput(
          "the saved event has no member '%s', where its id belongs"
              .formatted(String.join(".", path.subList(0, path.size() - 1))));
    }
    members.put(path.getLast(), id);
    return whole.toString().getBytes(StandardCharsets.UTF_8);
  }
}
