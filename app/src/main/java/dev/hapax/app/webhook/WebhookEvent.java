package dev.hapax.app.webhook;

import dev.hapax.Event;
import dev.hapax.Source;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a genuine delivery: its id, its subject and the input of its run, by the
 * expressions of the trigger. If they fail, the event is invalid, and it is kept: an error would
 * only make the sender send it again.
 *
 * @param payload {@code {headers, body}}, as expressions see it under the name {@code event}
 */
record WebhookEvent(LoadedFlow flow, WebhookTrigger trigger, Map<String, Object> payload) {
  /** Headers with credentials, which any reader could use, are neither shown nor kept. */
  static boolean isTold(String header) {
    return !CredentialHeaders.contains(header);
  }

  /** The event as the inbox takes it, and what it starts. */
  record Received(Event event, Source<Object, Object> source) {}

  /** Reads the event. */
  Received read(
      EventIdentity identity, WebhookDelivery delivery, @Nullable String idInSignedHeader) {
    var source = new Source<>(Object.class, flow.flow(), this::input, this::time, trigger.tie());
    try {
      var event =
          Event.from(trigger.path())
              .id(identity.of(delivery, payload, idInSignedHeader))
              .payload(payload);
      return new Received(versioned(event), source);
    } catch (RuntimeException e) { // of an expression, or a value that is no id or version
      NoAnswer.passOn(e); // the sender delivers it again
      var event = Event.from(trigger.path()).id(EventIdentity.ofBody(delivery)).payload(payload);
      return new Received(event, unreadable(e));
    }
  }

  /** Returns the source for an event that arrived before; its payload is the stored one. */
  static Source<Object, Object> sourceOf(LoadedFlow flow, WebhookTrigger trigger) {
    var event = new WebhookEvent(flow, trigger, Map.of());
    return new Source<>(Object.class, flow.flow(), event::input, event::time, trigger.tie());
  }

  private Source<Object, Object> unreadable(RuntimeException problem) {
    return new Source<>(
        Object.class,
        flow.flow(),
        _ -> {
          throw problem;
        });
  }

  private Object input(Object stored) {
    ValueTemplate input = trigger.input();
    Object value = input == null ? ((Map<?, ?>) stored).get("body") : input.value(scope(stored));
    if (value == null) {
      throw new IllegalArgumentException("the input of the run is null");
    }
    return flow.fitting(value);
  }

  private static @Nullable Object member(Object event, String name) {
    return event instanceof Map<?, ?> of && of.get("body") instanceof Map<?, ?> body
        ? body.get(name)
        : null;
  }

  /**
   * Returns when it happened. The time in the signature is of this one delivery, and a redelivery
   * has another one.
   */
  private @Nullable Instant time(Object stored) {
    Template time = trigger.time();
    return time == null
        ? EventTime.orNull(
            switch (trigger.verify().scheme()) {
              case STRIPE -> member(stored, "created");
              case SLACK -> member(stored, "event_time");
              case STANDARD_WEBHOOKS -> member(stored, "timestamp");
              case SQUARE, CALENDLY -> member(stored, "created_at");
              case ZENDESK -> member(stored, "time");
              default -> null;
            })
        : EventTime.of(time.text(scope(stored)));
  }

  private Event versioned(Event event) {
    Template object = trigger.object();
    Template version = trigger.version();
    return object == null || version == null
        ? event
        : event.about(
            object.text(scope(payload)), ObjectVersion.ofValue(version.value(scope(payload))));
  }

  private static Scope scope(Object event) {
    return Scope.of(Map.of("event", event));
  }
}
