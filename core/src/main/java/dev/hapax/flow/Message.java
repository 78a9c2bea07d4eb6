package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * A message to another system. It is written in the commit of the step that publishes it, and
 * delivered afterwards, with retries: {@code Message.to("shop").type("order.paid").data(order)}.
 *
 * @param destination the name of the receiver; its courier delivers the message
 * @param type the type of the message, for the receiver
 * @param data any value that can be written as JSON
 * @param line messages to the destination in one line are delivered one after the other; null if
 *     this one waits for no other
 */
public record Message(
    String destination, String type, @Nullable Object data, @Nullable String line) {
  public Message {
    Names.destination(destination);
    Names.text("type of a message", type);
    if (line != null) {
      Names.key("the line of a message", line);
    }
  }

  /** A message that waits for no other. */
  public Message(String destination, String type, @Nullable Object data) {
    this(destination, type, data, null);
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
    return new Message(destination, type, value, line);
  }

  /**
   * Puts it in a line: it is delivered after the messages of the line that were published before.
   * One that is retried, or waits for a person in a review, keeps the later ones waiting. One that
   * has failed does not.
   */
  public Message inLine(String name) {
    return new Message(destination, type, data, name);
  }
}
