package dev.hapax.inbox;

import dev.hapax.flow.Names;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that another system tells: {@code Event.from("shop").id("evt_1").payload(order)}.
 *
 * @param source whose flow and input were given to the inbox
 * @param id that the source gave it; a redelivery bears the same
 * @param object what it is about, if its versions are to be kept in order
 * @param payload any value that has a JSON form; kept as it came
 * @param occurredAt when it happened at its source; null if that is not known
 */
public record Event(
    String source,
    String id,
    @Nullable String object,
    @Nullable Long version,
    @Nullable Object payload,
    @Nullable Instant occurredAt) {
  public Event {
    Names.source(source);
    Names.key("an event", id);
  }

  public static From from(String source) {
    return new From(Names.source(source));
  }

  /** An event that lacks its id. */
  public record From(String source) {
    public Event id(String id) {
      return new Event(source, id, null, null, null, null);
    }
  }

  /** An older version than one that came before is recorded as stale and starts nothing. */
  public Event about(String what, long itsVersion) {
    if (itsVersion < 0) {
      throw new IllegalArgumentException(
          "version of '%s': expected 0 or more, got %d".formatted(what, itsVersion));
    }
    return new Event(source, id, Names.key("an object", what), itsVersion, payload, occurredAt);
  }

  public Event payload(@Nullable Object value) {
    return new Event(source, id, object, version, value, occurredAt);
  }

  /**
   * When it happened at its source, not when it was sent. After the store was restored, events from
   * the time that is lost are told apart by it from new ones.
   */
  public Event at(Instant time) {
    return new Event(
        source,
        id,
        object,
        version,
        payload,
        Names.moment("time of event '%s'".formatted(id), time));
  }
}
