package dev.hapax.app.queue;

import dev.hapax.flow.NodeMemory;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.flows.trigger.QueueTrigger.Format;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes memory for messages before they are read: many small values take a hundred times the memory
 * of their text. A batch that finds no room as a whole is received in parts. Of one thread.
 */
final class MessageRoom {
  /** Why a batch was not received to its end. */
  static final String FULL =
      "the values of runs and messages take all memory for values (limits.nodeBytes); it goes on when some of it is free";

  /** The value, and the text and the input that are made from it. */
  private static final int COPIES = 2;

  private final NodeMemory memory;
  private final Format format;
  private boolean isFull;

  MessageRoom(NodeMemory memory, Format format) {
    this.memory = memory;
    this.format = format;
  }

  /** Whether the last batch was not received to its end because no memory was free. */
  boolean isFull() {
    return isFull;
  }

  /** Returns how many messages, from the front, are durable. */
  int receive(List<QueueMessage> messages, QueueConsumer.Receiver receiver) throws Exception {
    isFull = false;
    int received = 0;
    while (received < messages.size()) {
      Part part = part(messages.subList(received, messages.size()));
      if (part.messages().isEmpty()) {
        isFull = true;
        return received;
      }
      try {
        int durable = receiver.receive(part.messages());
        received += durable;
        if (durable < part.messages().size()) {
          return received;
        }
      } finally {
        memory.giveBackBeside(part.bytes());
      }
    }
    return received;
  }

  /** Messages, and the memory that was taken for them. */
  private record Part(List<QueueMessage> messages, long bytes) {}

  private Part part(List<QueueMessage> messages) {
    List<QueueMessage> part = new ArrayList<>();
    long taken = 0;
    for (QueueMessage message : messages) {
      long bytes = bytes(message);
      if (!memory.takeBeside(bytes)) {
        break;
      }
      part.add(message);
      taken += bytes;
    }
    return new Part(part, taken);
  }

  /** A message that is too large for all memory is not read: only its bytes are kept. */
  private long bytes(QueueMessage message) {
    byte[] body = message.body();
    if (body == null) {
      return 0;
    }
    long value = MessageBody.memory(body, format);
    return value > memory.mostBeside()
        ? COPIES * (long) body.length
        : Math.min(COPIES * value, memory.mostBeside());
  }
}
