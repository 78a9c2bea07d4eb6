package dev.hapax.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;
import dev.hapax.flows.queue.QueueMessage;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads deliveries. */
final class RabbitMessage {
  private static final int DEEPEST = 20;

  private RabbitMessage() {}

  /**
   * Returns a delivery as a message. Its id is what its sender has put into the property {@code
   * message-id}: the broker itself gives none that stays the same.
   */
  static QueueMessage of(
      String consumer, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    String given = properties.getMessageId();
    boolean isIdentified = given != null && !given.isBlank();
    Map<String, String> headers = headers(properties);
    Date sentAt = properties.getTimestamp();
    String key = headers.get(RabbitPublisher.KEY);
    return new QueueMessage(
        isIdentified ? given : consumer + "/" + envelope.getDeliveryTag(),
        key,
        headers,
        Map.of("exchange", envelope.getExchange(), "routingKey", envelope.getRoutingKey()),
        body,
        QueueMessage.sizeOf(null, headers, body.length), // the key is one of the headers
        sentAt == null ? null : sentAt.toInstant(),
        isIdentified);
  }

  private static Map<String, String> headers(AMQP.BasicProperties properties) {
    var headers = new LinkedHashMap<String, String>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, text(value, 0)));
    }
    put(headers, "content-type", properties.getContentType());
    put(headers, "content-encoding", properties.getContentEncoding());
    put(headers, "correlation-id", properties.getCorrelationId());
    put(headers, "reply-to", properties.getReplyTo());
    put(headers, "type", properties.getType());
    put(headers, "app-id", properties.getAppId());
    return headers;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.putIfAbsent(name, value);
    }
  }

  private static String text(@Nullable Object value, int depth) {
    if (depth > DEEPEST) {
      return "…";
    }
    return switch (value) {
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Date time -> time.toInstant().toString();
      case List<?> list ->
          list.stream()
              .map(one -> text(one, depth + 1))
              .collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> entry.getKey() + "=" + text(entry.getValue(), depth + 1))
              .collect(Collectors.joining(", ", "{", "}"));
      case null -> "";
      default -> value.toString();
    };
  }
}
