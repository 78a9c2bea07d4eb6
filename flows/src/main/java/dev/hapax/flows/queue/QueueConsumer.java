package dev.hapax.flows.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one queue. A message is acknowledged after it was received, and never before; a message
 * that was not acknowledged comes again, here or at another consumer. Used by one thread.
 */
public interface QueueConsumer extends AutoCloseable {
  /**
   * Reads the next messages, hands them over, and acknowledges those that were received.
   *
   * @param atMost how long to wait for a message; a consumer may return sooner
   * @return how many messages were read and how many of them were received
   * @throws Exception of the broker or of the receiver; the messages come again. After one of the
   *     receiver, the consumer can be used as before
   */
  Polled poll(Duration atMost, Receiver receiver) throws Exception;

  /**
   * Tells the broker that this consumer is still there, and reads nothing. Called about each second
   * while nothing may be read for a while, as during a pause.
   */
  default void keep() throws Exception {}

  /** Returns what has happened since the last time that this was asked. */
  default News news() {
    return News.NONE;
  }

  /** As {@link #keep}, while reading goes on soon: what the broker has sent ahead may stay. */
  default void hold() throws Exception {
    keep();
  }

  /** Returns how many messages wait; null if that is not known. */
  @Nullable Long lag() throws Exception;

  /**
   * Makes the messages since this time come again.
   *
   * @return how many; null if that is not known
   * @throws UnsupportedOperationException if this queue keeps none; the message says why
   */
  @Nullable Long seek(Instant since) throws Exception;

  /** Whether {@link #seek} works only while no other consumer of the group is open. */
  default boolean seeksAlone() {
    return false;
  }

  /** Gives up what was read and not acknowledged. */
  @Override
  void close();

  /** Makes messages durable. */
  @FunctionalInterface
  interface Receiver {
    /** Returns how many of them, from the front, are durable. */
    int receive(List<QueueMessage> messages) throws Exception;
  }

  /**
   * What a consumer did not ask for.
   *
   * @param rebalances how often the broker gave it another share of the queue
   * @param deletedUnread messages that the broker has deleted or lost before they were read
   */
  record News(long rebalances, long deletedUnread) {
    public static final News NONE = new News(0, 0);
  }

  /** The result of a look at the queue. */
  record Polled(int read, int received) {
    public static final Polled NOTHING = new Polled(0, 0);
  }
}
