package dev.hapax.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.queue.QueuePublisher;
import dev.hapax.json.Digest;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Publishes persistent messages. A message counts as published when the broker has confirmed it,
 * which it does when each queue that got it has stored it. A message that no queue would get is
 * refused.
 */
final class RabbitPublisher implements QueuePublisher {
  /** The header that carries the key, by which readers may keep messages in order. */
  static final String KEY = BrokerMessage.RESERVED + "key";

  private static final int PERSISTENT = 2;

  /** The longest short text in AMQP. */
  private static final int LONGEST = 255;

  private final RabbitLink link;
  private final Channel channel;
  private final Clock clock;
  private final ReentrantLock sending = new ReentrantLock();
  private final ConcurrentNavigableMap<Long, Sent> open = new ConcurrentSkipListMap<>();
  private final Map<String, String> returned = new ConcurrentHashMap<>();
  private volatile @Nullable String blocked;
  private volatile @Nullable String ended;

  /** A message that is not confirmed yet; the result is whether the broker took it. */
  private record Sent(CompletableFuture<Boolean> taken) {}

  RabbitPublisher(RabbitLink link, Clock clock) throws IOException {
    this.link = link;
    this.clock = clock;
    try {
      this.channel = link.channel();
      link.whenBlocked(
          new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
              blocked = reason;
            }

            @Override
            public void handleUnblocked() {
              blocked = null;
            }
          });
      channel.addReturnListener(
          message ->
              returned.put(
                  String.valueOf(message.getProperties().getMessageId()), message.getReplyText()));
      channel.addConfirmListener(
          (number, isMultiple) -> decided(number, isMultiple, true),
          (number, isMultiple) -> decided(number, isMultiple, false));
      channel.addShutdownListener(this::ended);
      channel.confirmSelect();
    } catch (IOException | RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private void decided(long number, boolean isMultiple, boolean isTaken) {
    if (isMultiple) {
      var all = open.headMap(number, true);
      all.values().forEach(one -> one.taken().complete(isTaken));
      all.clear();
    } else {
      Sent one = open.remove(number);
      if (one != null) {
        one.taken().complete(isTaken);
      }
    }
  }

  private void ended(ShutdownSignalException signal) {
    String words = RabbitLink.explained(signal);
    ended = words;
    open.values().forEach(one -> one.taken().completeExceptionally(new IOException(words)));
    open.clear();
  }

  @Override
  public void publish(BrokerMessage message, Duration timeout) throws Exception {
    String reason = blocked;
    if (reason != null) {
      throw new NotApplied("the broker takes no messages now: " + reason);
    }
    String id = shortened(message.id());
    returned.remove(id); // of an attempt whose confirmation came too late
    long end = clock.nanos() + timeout.toNanos();
    Sent sent = send(message, id, end);
    boolean isTaken;
    try {
      isTaken = sent.taken().get(left(end).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new IOException(
          "the connection ended before the broker confirmed the message: "
              + (cause == null ? e : cause).getMessage(),
          e);
    } catch (TimeoutException e) {
      throw new IOException(
          "the broker has not confirmed the message within %s ms".formatted(timeout.toMillis()), e);
    }
    String unroutable = returned.remove(id);
    if (unroutable != null) {
      throw new Rejected(
          "unroutable",
          "no queue of the broker gets messages for '%s' (%s): nothing was sent. Create or bind the queue, and deliver it again."
              .formatted(message.target(), unroutable));
    }
    if (!isTaken) {
      throw new IOException("the broker did not take the message; its queue may be full");
    }
  }

  private Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - clock.nanos()));
  }

  private Sent send(BrokerMessage message, String id, long end)
      throws IOException, InterruptedException {
    String target = message.target();
    int slash = target.indexOf('/');
    String exchange = slash < 0 ? "" : target.substring(0, slash);
    String routingKey = target.substring(slash + 1);
    var headers = new LinkedHashMap<String, Object>(message.headers());
    headers.put(BrokerMessage.ID, message.id());
    headers.put(BrokerMessage.TYPE, message.type());
    String key = message.key();
    if (key != null) {
      headers.put(KEY, key);
    }
    var properties =
        new AMQP.BasicProperties.Builder()
            .messageId(id)
            .type(shortened(message.type()))
            .contentType("application/json")
            .deliveryMode(PERSISTENT)
            .timestamp(Date.from(clock.now()))
            .headers(headers)
            .build();
    var sent = new Sent(new CompletableFuture<>());
    if (!sending.tryLock(left(end).toMillis(), TimeUnit.MILLISECONDS)) {
      throw new NotApplied("the broker takes no bytes now: the message before is being written");
    }
    try {
      String words = ended;
      if (words != null) {
        throw new NotApplied("the connection to the broker has ended: " + words);
      }
      open.put(channel.getNextPublishSeqNo(), sent);
      link.write(
          left(end),
          () ->
              channel.basicPublish(exchange, routingKey, true, false, properties, message.body()));
      return sent;
    } catch (AlreadyClosedException e) {
      throw new NotApplied("the connection to the broker has ended", e);
    } finally {
      sending.unlock();
    }
  }

  private static String shortened(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length <= LONGEST
        ? text
        : HexFormat.of().formatHex(Digest.sha256(text));
  }

  @Override
  public boolean isUsable() {
    return ended == null;
  }

  @Override
  public void close() {
    link.close();
  }
}
