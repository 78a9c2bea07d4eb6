package dev.hapax;

import dev.hapax.flow.Names;
import dev.hapax.flow.ObjectVersion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event from another system: {@code Event.from("shop").id("evt_1").payload(order)}.
 *
 * @param source the name under which the inbox knows its flow and input
 * @param id assigned by the source; a redelivery has the same id
 * @param object the object that the event is about, if its versions must be kept in order
 * @param payload any value that can be written as JSON; kept unchanged
 * @param occurredAt when it happened at its source; null if that is not known
 */
public record Event(
    String source,
    String id,
    @Nullable String object,
    @Nullable ObjectVersion version,
    @Nullable Object payload,
    @Nullable Instant occurredAt) {
  public Event {
    Names.source(source);
    Names.key("an event", id);
  }

  public static From from(String source) {
    return new From(Names.source(source));
  }

  /** An event that has no id yet. */
  public record From(String source) {
    public Event id(String id) {
      return new Event(source, id, null, null, null, null);
    }
  }

  /**
   * Names the object and its version. An event with an older version than an earlier event is
   * recorded as stale and starts nothing. An equal version with content that came before is a
   * duplicate; with other content, {@link Source#tie} decides.
   */
  public Event about(String what, long itsVersion) {
    if (itsVersion < 0) {
      throw new IllegalArgumentException(
          "version of '%s': expected 0 or more, got %d".formatted(what, itsVersion));
    }
    return about(what, ObjectVersion.of(itsVersion));
  }

  /** As above, for a version that is a time. */
  public Event about(String what, Instant itsVersion) {
    return about(what, ObjectVersion.of(itsVersion));
  }

  /**
   * As above, for a version that is written as a text: digits are a number, RFC 3339 is a time, and
   * any other text is compared by code points.
   */
  public Event about(String what, String itsVersion) {
    return about(what, ObjectVersion.of(itsVersion));
  }

  /**
   * As above. The first version of an object fixes the type of its versions; an event with another
   * type is invalid.
   */
  public Event about(String what, ObjectVersion itsVersion) {
    return new Event(source, id, Names.key("an object", what), itsVersion, payload, occurredAt);
  }

  public Event payload(@Nullable Object value) {
    return new Event(source, id, object, version, value, occurredAt);
  }

  /**
   * Sets when the event happened at its source, not when it was sent. After the store was restored,
   * this time distinguishes events from the lost period from new ones.
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
