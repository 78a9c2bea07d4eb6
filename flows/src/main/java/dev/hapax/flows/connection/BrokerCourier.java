package dev.hapax.flows.connection;

import dev.hapax.Courier;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Delivers published messages to a broker, or to a webhook if the connection is one. The id is the
 * same on every attempt.
 */
public final class BrokerCourier implements Courier {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static final String TARGET = "broker";
  private static final String TO = "to";
  private static final String KEY = "key";
  private static final String HEADERS = "headers";
  private static final String DATA = "data";

  private final String destination;
  private final Connections connections;
  private final WayOut wayOut;
  private final WebhookCourier webhooks;

  public BrokerCourier(
      String destination, Connections connections, WayOut wayOut, WebhookCourier webhooks) {
    this.destination = destination;
    this.connections = connections;
    this.wayOut = wayOut;
    this.webhooks = webhooks;
  }

  /**
   * Returns the data of a message in the outbox that goes to a broker.
   *
   * @param queue the queue or topic
   */
  public static Map<String, @Nullable Object> addressed(
      String queue, @Nullable String key, Map<String, String> headers, @Nullable Object data) {
    var target = new LinkedHashMap<String, @Nullable Object>();
    target.put(TO, queue);
    target.put(KEY, key);
    target.put(HEADERS, headers);
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put(TARGET, target);
    all.put(DATA, data);
    return all;
  }

  @Override
  public void deliver(OutgoingMessage message) throws Exception {
    if (destination.equals(WebhookCourier.ANYWHERE)) {
      webhooks.deliver(message);
      return;
    }
    Connection found =
        connections
            .use(destination)
            .orElseThrow(
                () ->
                    new NotApplied(
                        "there is no connection '%s': nothing was sent. Set it, and the delivery continues"
                            .formatted(destination)));
    switch (found) {
      case Connection.Kafka _, Connection.RabbitMq _, Connection.Sqs _ ->
          wayOut.publish(found, read(message), TIMEOUT);
      default -> webhooks.deliver(message);
    }
  }

  /** A FIFO queue of SQS forgets an id soon; the readers of others know it by themselves. */
  @Override
  public Duration remembers(OutgoingMessage message, Duration usual) {
    boolean isSqs =
        connections.find(destination).map(one -> one instanceof Connection.Sqs).orElse(true);
    return isSqs
            && Json.read(message.json(), Object.class) instanceof Map<?, ?> all
            && all.get(TARGET) instanceof Map<?, ?> target
            && target.get(TO) instanceof String queue
            && Connection.Sqs.isFifo(queue)
        ? Connection.Sqs.REPEATS_REMOVED
        : usual;
  }

  private BrokerMessage read(OutgoingMessage message) {
    if (!(Json.read(message.json(), Object.class) instanceof Map<?, ?> all)
        || !(all.get(TARGET) instanceof Map<?, ?> target)
        || !(target.get(TO) instanceof String queue)) {
      throw new Rejected(
          "no-queue",
          "connection '%s' is a broker now, but the message was published without a queue or topic"
              .formatted(destination));
    }
    var headers = new LinkedHashMap<String, String>();
    if (target.get(HEADERS) instanceof Map<?, ?> given) {
      given.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    }
    Object key = target.get(KEY);
    return new BrokerMessage(
        message.id(),
        message.type(),
        queue,
        key == null ? null : key.toString(),
        headers,
        json(all.get(DATA)).getBytes(StandardCharsets.UTF_8));
  }

  private static String json(@Nullable Object data) {
    return data == null ? "null" : Json.write(data);
  }
}
