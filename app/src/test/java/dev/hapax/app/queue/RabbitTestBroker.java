package dev.hapax.app.queue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A durable queue of a real RabbitMQ server. */
final class RabbitTestBroker implements TestBroker {
  private static final AtomicInteger QUEUES = new AtomicInteger();
  private static final int MOST_OF_SHORT_TEXT = 255;
  private static final int MOST_OF_HEADER = 20_000;
  private static final long LONGEST_CONFIRM = 60_000;

  private final RabbitServer server;
  private final boolean isShared;
  private final String queue = "orders-" + QUEUES.incrementAndGet();
  private @Nullable Channel channel;

  /**
   * An empty queue.
   *
   * @param isShared whether others use the server, too, so that it goes on
   * @param arguments of the queue, such as its type
   */
  RabbitTestBroker(RabbitServer server, boolean isShared, Map<String, Object> arguments)
      throws IOException {
    this.server = server;
    this.isShared = isShared;
    channel().queueDeclare(queue, true, false, false, arguments);
  }

  private Channel channel() throws IOException {
    Channel open = channel;
    if (open == null || !open.isOpen()) {
      open = server.connection().createChannel();
      open.confirmSelect();
      channel = open;
    }
    return open;
  }

  @Override
  public String connection() {
    return connection(server.port());
  }

  String connection(int port) {
    return """
    {"rabbitmq": {"host": "127.0.0.1", "port": %d, "tls": "none", "privateHosts": ["127.0.0.1"]}}\
    """
        .formatted(port);
  }

  @Override
  public String trigger() {
    return "queue: " + queue;
  }

  String queue() {
    return queue;
  }

  @Override
  public String message() {
    return "event.body";
  }

  @Override
  public void send(String key, byte[] body) throws IOException {
    send(body, UUID.randomUUID().toString());
  }

  void send(byte[] body, @Nullable String id) throws IOException {
    AMQP.BasicProperties properties =
        MessageProperties.PERSISTENT_BASIC.builder().messageId(id).build();
    channel().basicPublish("", queue, true, properties, body);
  }

  /** The protocol has short texts of 255 bytes, and headers of 128 KB. */
  @Override
  public boolean sendHostile(HostileMessages.Hostile message) throws IOException {
    var headers = new HashMap<String, Object>();
    message.headers().forEach((name, value) -> headers.put(shortened(name), shortened(value)));
    byte[] key = message.key();
    if (key != null) {
      headers.put("hapax-key", LongStringHelper.asLongString(shortened(key)));
    }
    byte[] body = message.body();
    channel()
        .basicPublish(
            "",
            queue,
            true,
            MessageProperties.PERSISTENT_BASIC
                .builder()
                .messageId(shortened(message.id()))
                .type(shortened(message.id()))
                .headers(headers)
                .build(),
            body == null ? new byte[0] : body);
    return true;
  }

  private static String shortened(String text) {
    String cut = text;
    while (cut.getBytes(StandardCharsets.UTF_8).length > MOST_OF_SHORT_TEXT) {
      cut = cut.substring(0, cut.length() - 1);
    }
    return cut;
  }

  private static byte[] shortened(byte[] value) {
    return Arrays.copyOf(value, Math.min(value.length, MOST_OF_HEADER));
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    try {
      channel().waitForConfirmsOrDie(LONGEST_CONFIRM);
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }

  @Override
  public long waiting() throws IOException {
    return channel().queueDeclarePassive(queue).getMessageCount();
  }

  int consumers() throws IOException {
    return channel().queueDeclarePassive(queue).getConsumerCount();
  }

  @Override
  public boolean carriesAnyBytes() {
    return true;
  }

  @Override
  public void crash() throws IOException, InterruptedException {
    server.crash();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!isShared) {
      server.close();
    }
  }
}
