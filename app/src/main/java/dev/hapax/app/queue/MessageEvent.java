package dev.hapax.app.queue;

import dev.hapax.BatchedEvent;
import dev.hapax.Event;
import dev.hapax.Source;
import dev.hapax.flow.Erased;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.queue.MessageId;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a trigger become events: id, object and input by its expressions. A message
 * that cannot be read becomes an invalid event that keeps its bytes, so that it stops no message
 * behind it and can be tried again.
 *
 * @param source of its events in the inbox
 * @param resources keeps bytes and returns their reference
 * @param mostMemory that the value of one message may take
 */
record MessageEvent(
    LoadedFlow flow,
    QueueTrigger trigger,
    String source,
    Function<byte[], String> resources,
    long mostMemory) {
  private static final String BODY = "body";

  /** An id for an event whose own id cannot be computed. */
  private static final String PLACE = "message ";

  /** A message as it is received; no event if the filter leaves it out. */
  record Read(QueueMessage message, @Nullable BatchedEvent event) {}

  Read read(QueueMessage message) {
    Map<String, Object> payload = payload(message);
    String id = trigger.event() == null ? message.id() : PLACE + message.id();
    try {
      if (payload.get(BODY) == null) {
        body(payload); // says why
      }
      if (!passes(payload)) {
        return new Read(message, null);
      }
      Template event = trigger.event();
      if (event == null && !message.isIdentified()) {
        throw new IllegalArgumentException(
            "the message has no id of its own, so a repeat could not be recognized. Let its sender set message-id, or set 'event' of the trigger");
      }
      String own = event == null ? id : MessageId.of(event.text(scope(payload)));
      Event received = Event.from(source).id(own);
      return new Read(message, new BatchedEvent(versioned(received, payload), now()));
    } catch (RuntimeException e) { // of the message, an expression, or a value that is no id
      NoAnswer.passOn(e); // nothing is acknowledged
      Event received = Event.from(source).id(id).payload(payload);
      return new Read(message, new BatchedEvent(received, unreadable(e)));
    }
  }

  /**
   * Returns the event with nothing of the message but its bytes, after the store has refused the
   * rest of it. In base64 they have no character that a store refuses, and they have a limit.
   */
  BatchedEvent refused(QueueMessage message, RuntimeException why) {
    return refused(message, why, message.body());
  }

  /** As above, without the bytes: only texts of our own and a number are left. */
  BatchedEvent withoutContent(QueueMessage message, RuntimeException why) {
    return refused(message, why, null);
  }

  private BatchedEvent refused(
      QueueMessage message, RuntimeException why, byte @Nullable [] bytes) {
    var payload = new LinkedHashMap<String, Object>();
    payload.put("id", message.id());
    if (bytes != null) {
      payload.put("bytes", bytes);
    }
    payload.put("size", message.size());
    String id = "sha256:" + MessageId.hash(message.id());
    return new BatchedEvent(Event.from(source).id(id).payload(payload), unreadable(why));
  }

  /** Returns what the events of the source start now; their payload is the stored one. */
  Source<Object, Object> now() {
    return new Source<>(Object.class, flow.flow(), this::input, _ -> null, trigger.tie());
  }

  /**
   * Returns the record of an event whose id belongs to another event; null if both have the same
   * input.
   */
  @Nullable BatchedEvent conflictWith(InboxEvent first, Event event) {
    if (Erased.is(first.payload())) {
      return null;
    }
    Object before = Json.read(first.payload(), Object.class);
    Object now = Json.read(Json.write(Objects.requireNonNull(event.payload())), Object.class);
    if (Objects.equals(content(before), content(now))) {
      return null;
    }
    String id = event.id();
    String other = "%s#%s".formatted(id, MessageId.hash(Json.write(now)).substring(0, 32));
    return new BatchedEvent(
        Event.from(source).id(other).payload(event.payload()),
        now(),
        "event-reused: event '%s' came before with other content, as %s".formatted(id, first.id()));
  }

  /** Returns what would be started; of a message that cannot be read, its bytes. */
  private @Nullable Object content(Object payload) {
    try {
      return input(payload);
    } catch (RuntimeException e) { // of the message or an expression
      NoAnswer.passOn(e);
      return payload instanceof Map<?, ?> map
          ? map.get(map.containsKey(BODY) ? BODY : "bytes")
          : null;
    }
  }

  private Map<String, Object> payload(QueueMessage message) {
    Map<String, Object> payload = around(message);
    byte[] bytes = message.body();
    if (bytes == null) {
      return payload;
    }
    try {
      payload.put(BODY, MessageBody.read(bytes, trigger.format(), resources, mostMemory));
    } catch (MessageBody.Unreadable e) {
      payload.put("bytes", bytes);
    }
    return payload;
  }

  /** Returns everything but the body. Headers with credentials are not kept. */
  private static Map<String, Object> around(QueueMessage message) {
    var payload = new LinkedHashMap<String, Object>();
    payload.put("id", message.id());
    if (message.key() != null) {
      payload.put("key", message.key());
    }
    var headers = new LinkedHashMap<String, Object>();
    message
        .headers()
        .forEach(
            (name, value) -> {
              if (!CredentialHeaders.contains(name)) {
                headers.put(name, value);
              }
            });
    payload.put("headers", headers);
    payload.putAll(message.place());
    Instant sentAt = message.sentAt();
    if (sentAt != null) {
      payload.put("time", sentAt.toString());
    }
    payload.put("size", message.size());
    return payload;
  }

  /** Reads the body again if it could not be read before: the trigger may read it now. */
  private Object body(Map<?, ?> payload) {
    Object body = payload.get(BODY);
    if (body != null) {
      return body;
    }
    return switch (payload.get("bytes")) {
      case byte[] bytes -> MessageBody.read(bytes, trigger.format(), resources, mostMemory);
      case String stored ->
          MessageBody.read(MessageBody.stored(stored), trigger.format(), resources, mostMemory);
      case null, default ->
          throw new IllegalArgumentException(
              "a message of %s bytes is too large: at most %,d are read. Send a reference to the large part instead."
                  .formatted(payload.get("size"), QueueMessage.LARGEST));
    };
  }

  private boolean passes(Map<String, Object> payload) {
    Template filter = trigger.filter();
    Object value = filter == null ? true : filter.value(scope(payload));
    return switch (value) {
      case Boolean truth -> truth;
      case String text when text.equals("true") || text.equals("false") -> text.equals("true");
      case null, default ->
          throw new IllegalArgumentException("filter: expected true or false, got " + value);
    };
  }

  private Event versioned(Event event, Map<String, Object> payload) {
    Template object = trigger.object();
    Template version = trigger.version();
    Event received = event.payload(payload);
    return object == null || version == null
        ? received
        : received.about(
            object.text(scope(payload)), ObjectVersion.ofValue(version.value(scope(payload))));
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
    var payload = new LinkedHashMap<String, Object>();
    if (stored instanceof Map<?, ?> map) {
      map.forEach((name, value) -> payload.put(String.valueOf(name), value));
    }
    payload.put(BODY, body(payload));
    ValueTemplate input = trigger.input();
    Object value = input == null ? payload.get(BODY) : input.value(scope(payload));
    if (value == null) {
      throw new IllegalArgumentException("the input of the run is null");
    }
    return flow.fitting(value);
  }

  private static Scope scope(Map<String, Object> payload) {
    return Scope.of(Map.of("event", payload));
  }
}
