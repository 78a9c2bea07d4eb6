package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * A message to another system. It is written in the commit of the step that publishes it, and
 * delivered afterwards, with retries: {@code Message.to("shop").type("order.paid").data(order)}.
 *
 * @param destination the name of the receiver; its courier delivers the message
 * @param type the type of the message, for the receiver
 * @param data any value that can be written as JSON
 */
public record Message(String destination, String type, @Nullable Object data) {
  public Message {
    Names.destination(destination);
    Names.text("type of a message", type);
  }

  public static Draft to(String destination) {
    return new Draft(Names.destination(destination));
  }

  /** A message that has no type yet. */
  public record Draft(String destination) {
    public Message type(String type) {
      return new Message(destination, type, null);
    }
  }

  public Message data(@Nullable Object value) {
    return new Message(destination, type, value);
  }
}
