package dev.hapax.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.hapax.flow.NotApplied;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.flows.queue.QueueTerms;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue of RabbitMQ. The broker sends a batch ahead; its messages are acknowledged in their
 * order when they were received. A message that was not received stays in hand and is offered
 * again: to give it back would count as a delivery, after some of which the broker drops it. When
 * this consumer closes or dies, the broker puts what is in hand back to its place in the queue.
 *
 * <p>For order, it is the only consumer of the queue: an exclusive one, or the active one of a
 * queue with {@code x-single-active-consumer}.
 */
final class RabbitConsumer implements QueueConsumer {
  /** What a batch may have, but for its last message. */
  private static final long MOST_BYTES = 8L << 20;

  /** What may be in hand: the broker counts messages, and not their bytes. */
  private static final long MOST_AHEAD_BYTES = 16L << 20;

  /** So many of the largest messages may be in hand. */
  private static final int FEW_AHEAD = (int) (MOST_AHEAD_BYTES / QueueMessage.LARGEST);

  private static final int NOT_FOUND = 404;
  private static final int ACCESS_REFUSED = 403;
  private static final int NOT_IMPLEMENTED = 540;
  private static final String STREAM_OFFSET = "x-stream-offset";

  /** How many seconds messages stay in hand while none may be received. */
  private static final int MOST_KEPT = 60;

  private final Callable<RabbitLink> links;
  private final QueueTerms terms;
  private final Deque<Delivery> held = new ArrayDeque<>();
  private @Nullable RabbitLink link;
  private @Nullable Reading reading;
  private int kept;
  private int mostAhead = Integer.MAX_VALUE;

  RabbitConsumer(Callable<RabbitLink> links, QueueTerms terms) {
    this.links = links;
    this.terms = terms;
  }

  /** A message that is not acknowledged. */
  private record Delivery(long tag, QueueMessage message) {
    long bytes() {
      byte[] body = message.body();
      return body == null ? 0 : body.length;
    }
  }

  /** What arrives on one channel. */
  private static final class Reading extends DefaultConsumer {
    private static final Object END = new Object();

    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private final AtomicLong bytes = new AtomicLong(); // of what is not acknowledged
    private volatile @Nullable String problem;
    private volatile boolean isOverfull;

    Reading(Channel channel) {
      super(channel);
    }

    @Override
    public void handleDelivery(
        String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      if (properties.getHeaders() != null && properties.getHeaders().containsKey(STREAM_OFFSET)) {
        end("it is a stream, which Hapax does not read: bind a queue to the same exchange");
        return;
      }
      if (isOverfull) {
        return; // the broker gets it back with the channel, and so its place in the queue
      }
      try {
        var delivery =
            new Delivery(
                envelope.getDeliveryTag(),
                RabbitMessage.of(consumerTag, envelope, properties, body));
        long before = bytes.getAndAdd(delivery.bytes());
        if (before > 0 && before + delivery.bytes() > MOST_AHEAD_BYTES) {
          isOverfull = true;
        } else {
          arrived.add(delivery);
        }
      } catch (RuntimeException | Error e) { // else a later acknowledgement would be for it, too
        end("a message could not be taken: " + e);
        throw e;
      }
    }

    @Override
    public void handleCancel(String consumerTag) {
      end("the broker has ended the consumer: the queue was deleted, or is elsewhere now");
    }

    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
      end(RabbitLink.explained(signal));
    }

    private void end(String words) {
      problem = words;
      arrived.add(END);
    }

    /** Returns null if nothing has arrived. */
    @Nullable Delivery next(long atMostMillis) throws InterruptedException {
      String ended = problem;
      if (ended != null) {
        throw new NotApplied(ended); // acknowledgements would not arrive either
      }
      Object next = arrived.poll(atMostMillis, TimeUnit.MILLISECONDS);
      if (END.equals(next)) {
        arrived.add(END);
        throw new NotApplied(String.valueOf(problem));
      }
      return (Delivery) next;
    }
  }

  @Override
  public Polled poll(Duration atMost, Receiver receiver) throws Exception {
    Reading from = reading();
    if (from != null && from.isOverfull && held.isEmpty() && from.arrived.isEmpty()) {
      mostAhead = FEW_AHEAD;
      reading = null;
      from.getChannel().abort();
      from = reading();
    }
    if (from == null) {
      return Polled.NOTHING;
    }
    gather(from, atMost);
    List<Delivery> batch = batch();
    if (batch.isEmpty()) {
      return Polled.NOTHING;
    }
    kept = 0;
    int received = receiver.receive(batch.stream().map(Delivery::message).toList());
    if (received > 0) {
      acknowledge(from, batch.get(received - 1));
      for (int i = 0; i < received; i++) {
        from.bytes.addAndGet(-held.removeFirst().bytes());
      }
    }
    return new Polled(batch.size(), received);
  }

  private void gather(Reading from, Duration atMost) throws InterruptedException {
    while (held.size() < terms.batch()) {
      Delivery next = from.next(held.isEmpty() ? atMost.toMillis() : 0);
      if (next == null) {
        return;
      }
      held.add(next);
    }
  }

  private List<Delivery> batch() {
    var batch = new ArrayList<Delivery>();
    long bytes = 0;
    for (Delivery one : held) {
      if (batch.size() == terms.batch() || bytes >= MOST_BYTES) {
        break;
      }
      batch.add(one);
      bytes += one.bytes();
    }
    return batch;
  }

  /** All messages before this one were received before. */
  private static void acknowledge(Reading from, Delivery last) throws IOException {
    try {
      from.getChannel().basicAck(last.tag(), true);
    } catch (AlreadyClosedException e) {
      throw new IOException(
          "the connection ended before the messages were acknowledged; they come again as duplicates: "
              + RabbitLink.explained(e),
          e);
    }
  }

  // ---- the channel

  /** Returns null while another consumer has its turn. */
  private @Nullable Reading reading() throws Exception {
    Reading known = reading;
    if (known != null) {
      return known;
    }
    if (!terms.ordered()) {
      known = consume(false);
    } else {
      known = consume(true);
      if (known == null && consumers() == 0) { // only a queue with a single active consumer
        known = consume(true);
        if (known == null && consumers() == 0) {
          known = consume(false);
        }
      }
    }
    reading = known;
    return known;
  }

  private RabbitLink link() throws Exception {
    RabbitLink open = link;
    if (open == null) {
      open = links.call();
      link = open;
    }
    return open;
  }

  /** Returns null if the broker refuses an exclusive consumer. */
  private @Nullable Reading consume(boolean isExclusive) throws Exception {
    Channel channel = link().channel();
    try {
      channel.queueDeclarePassive(terms.queue());
      channel.basicQos(Math.min(mostAhead, terms.batch()));
      var consumer = new Reading(channel);
      channel.basicConsume(terms.queue(), false, "", false, isExclusive, null, consumer);
      return consumer;
    } catch (IOException e) {
      int code = RabbitLink.codeOf(e);
      if (isExclusive && code == ACCESS_REFUSED && isTaken(e)) {
        return null;
      }
      throw refused(code, e);
    }
  }

  private static boolean isTaken(IOException refusal) {
    return RabbitLink.explained(refusal).contains("exclusive");
  }

  private Exception refused(int code, IOException e) {
    return switch (code) {
      case NOT_FOUND, ACCESS_REFUSED, NOT_IMPLEMENTED ->
          new NotApplied(
              "queue '%s' cannot be read: %s".formatted(terms.queue(), RabbitLink.explained(e)), e);
      default -> e;
    };
  }

  private int consumers() throws Exception {
    return count(AMQP.Queue.DeclareOk::getConsumerCount);
  }

  private int count(ToIntFunction<AMQP.Queue.DeclareOk> figure) throws Exception {
    Channel channel = link().channel();
    try {
      int counted = figure.applyAsInt(channel.queueDeclarePassive(terms.queue()));
      channel.abort();
      return counted;
    } catch (IOException e) {
      throw refused(RabbitLink.codeOf(e), e);
    }
  }

  /** A return counts as a delivery, so a flow that is slow must not cause one each second. */
  @Override
  public void hold() throws IOException {
    if (++kept >= MOST_KEPT) {
      keep();
    }
  }

  /**
   * While nothing is read, the broker gets back what it has sent ahead, for other consumers. But
   * messages that were not received stay in hand for a while: each return counts as a delivery.
   */
  @Override
  public void keep() throws IOException {
    Reading from = reading;
    if (from == null || (!held.isEmpty() && ++kept < MOST_KEPT)) {
      return;
    }
    kept = 0;
    held.clear();
    reading = null;
    from.getChannel().abort();
  }

  @Override
  public Long lag() throws Exception {
    Reading from = reading;
    return (long) count(AMQP.Queue.DeclareOk::getMessageCount)
        + held.size()
        + (from == null ? 0 : from.arrived.size());
  }

  @Override
  public @Nullable Long seek(Instant since) {
    throw new UnsupportedOperationException(
        "RabbitMQ keeps no message that was acknowledged, so none can come again. Let the producer send them again");
  }

  @Override
  public void close() {
    held.clear();
    reading = null;
    RabbitLink open = link;
    link = null;
    if (open != null) {
      open.close();
    }
  }
}
