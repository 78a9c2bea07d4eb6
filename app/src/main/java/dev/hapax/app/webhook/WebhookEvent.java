package dev.hapax.app.webhook;

import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.Trigger;
import dev.hapax.inbox.Event;
import dev.hapax.inbox.Source;
import dev.hapax.json.Digest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of a genuine delivery: its id, its subject and the input of its run, by the
 * expressions of the trigger. If they fail, the event is invalid, and it is kept: an error would
 * only make the sender send it again.
 *
 * @param payload {@code {headers, body}}, as expressions see it under the name {@code event}
 */
record WebhookEvent(LoadedFlow flow, Trigger.Webhook trigger, Map<String, Object> payload) {
  /** Headers with credentials, which any reader could use: they are neither shown nor kept. */
  private static final Set<String> UNTOLD =
      Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

  static boolean isTold(String header) {
    return !UNTOLD.contains(header);
  }

  /** The event as the inbox takes it, and what it starts. */
  record Received(Event event, Source<Object, Object> source) {}

  /**
   * Reads the event.
   *
   * @param idByHeader that the scheme found in a header; null if it is in the body
   * @param body the raw bytes
   */
  Received read(@Nullable String idByHeader, byte[] body) {
    var source = new Source<>(Object.class, flow.flow(), this::input, this::time);
    try {
      var event = Event.from(trigger.path()).id(id(idByHeader, body)).payload(payload);
      return new Received(versioned(event), source);
    } catch (RuntimeException e) { // of an expression, or a value that is no id or version
      var event = Event.from(trigger.path()).id(hashOf(body)).payload(payload);
      return new Received(event, unreadable(e));
    }
  }

  /** Returns the source for an event that arrived before; its payload is the stored one. */
  static Source<Object, Object> sourceOf(LoadedFlow flow, Trigger.Webhook trigger) {
    var event = new WebhookEvent(flow, trigger, Map.of());
    return new Source<>(Object.class, flow.flow(), event::input, event::time);
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

  private String id(@Nullable String idByHeader, byte[] body) {
    Template event = trigger.event();
    if (event != null) {
      return event.text(scope(payload));
    }
    if (idByHeader != null) {
      return idByHeader;
    }
    String byBody =
        switch (trigger.verify().scheme()) {
          case STRIPE -> member("id");
          case SLACK -> member("event_id");
          case GITHUB, STANDARD_WEBHOOKS, HMAC, NONE -> null;
        };
    return byBody != null ? byBody : hashOf(body);
  }

  private @Nullable String member(String name) {
    return member(payload, name) instanceof String text ? text : null;
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
              case GITHUB, HMAC, NONE -> null;
            })
        : EventTime.of(time.text(scope(stored)));
  }

  /** Identical bytes are the same event if nothing else identifies it. */
  private static String hashOf(byte[] body) {
    return "sha256:" + HexFormat.of().formatHex(Digest.sha256(body));
  }

  private Event versioned(Event event) {
    Template object = trigger.object();
    Template version = trigger.version();
    return object == null || version == null
        ? event
        : event.about(object.text(scope(payload)), number(version.text(scope(payload))));
  }

  private static long number(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "version: expected a whole number, got '%s'".formatted(version), e);
    }
  }

  private static Scope scope(Object event) {
    return Scope.of(Map.of("event", event));
  }
}
