package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Something to tell another system, written in the commit of the step that publishes it and
 * delivered afterwards, with retries: {@code Message.to("shop").type("order.paid").data(order)}.
 *
 * @param destination whose courier delivers it
 * @param type what it tells, for the receiver
 * @param data any value that has a JSON form
 */
public record Message(String destination, String type, @Nullable Object data) {
  public Message {
    Names.destination(destination);
    Names.text("type of a message", type);
  }

  public static Draft to(String destination) {
    return new Draft(Names.destination(destination));
  }

  /** A message that does not say yet what it tells. */
  public record Draft(String destination) {
    public Message type(String type) {
      return new Message(destination, type, null);
    }
  }

  public Message data(@Nullable Object value) {
    return new Message(destination, type, value);
  }
}
