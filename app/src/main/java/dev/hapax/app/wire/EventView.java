package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.InboxEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in the inbox.
 *
 * @param event the id that its source gave it
 * @param run that it started, or that existed already
 * @param version a number, or a text
 * @param payload headers and body as they arrived; only of a single event
 */
public record EventView(
    String id,
    String source,
    String event,
    String outcome,
    @Nullable String run,
    @Nullable String detail,
    String flow,
    @Nullable String object,
    @Nullable Object version,
    Instant receivedAt,
    long redeliveries,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable @JsonRawValue String payload) {

  public static EventView of(InboxEvent event) {
    return of(event, null);
  }

  public static EventView withPayload(InboxEvent event) {
    return of(event, JsonText.raw(event.payload()));
  }

  private static EventView of(InboxEvent event, @Nullable String payload) {
    return new EventView(
        event.id(),
        event.source(),
        event.event(),
        event.outcome().word(),
        event.run(),
        event.detail(),
        event.flow(),
        event.object(),
        event.version() == null ? null : event.version().asJson(),
        event.receivedAt(),
        event.redeliveries(),
        payload);
  }
}
