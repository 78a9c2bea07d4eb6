package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that was received, and its outcome.
 *
 * @param number made for this one try, so finding it in the store means "mine"
 * @param event the id that its source gave it
 * @param version of the object that it is about
 * @param payload JSON text
 * @param run the id of the run that answers it
 * @param detail why it was not accepted
 * @param redeliveries how often it came again
 */
public record InboxEvent(
    long number,
    String tenant,
    String source,
    String event,
    @Nullable String object,
    @Nullable ObjectVersion version,
    String payload,
    String flow,
    InboxOutcome outcome,
    @Nullable String run,
    @Nullable String detail,
    Instant receivedAt,
    long redeliveries) {

  /** The id of the public contract. */
  public String id() {
    return "i-" + Long.toString(number, 36);
  }

  public static long number(String id) {
    try {
      if (id.startsWith("i-")) {
        return Long.parseLong(id.substring(2), 36);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw new IllegalArgumentException("event id: expected 'i-' and a number, got '" + id + "'");
  }

  public InboxEvent with(InboxOutcome became, @Nullable String byRun, @Nullable String why) {
    return new InboxEvent(
        number,
        tenant,
        source,
        event,
        object,
        version,
        payload,
        flow,
        became,
        byRun,
        why,
        receivedAt,
        redeliveries);
  }

  /** The same event without its values. Its id, and that of its object, stop a redelivery. */
  public InboxEvent erased() {
    return new InboxEvent(
        number,
        tenant,
        source,
        event,
        object,
        version,
        Erased.JSON,
        flow,
        outcome,
        run,
        Erased.text(detail),
        receivedAt,
        redeliveries);
  }

  /** The same event, delivered once more. */
  public InboxEvent redelivered() {
    return new InboxEvent(
        number,
        tenant,
        source,
        event,
        object,
        version,
        payload,
        flow,
        outcome,
        run,
        detail,
        receivedAt,
        redeliveries + 1);
  }
}
