package dev.hapax.flows.queue;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Sends messages to queues of SQS. A FIFO queue removes repeats by the message's id for five
 * minutes; a standard queue keeps them, and its readers recognize them by the id.
 */
final class SqsPublisher implements QueuePublisher {
  /** What SQS takes as the id of a message or a group. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,128}");

  private static final int MOST_ATTRIBUTES = 10;
  private static final int MOST_KNOWN = 1000;

  /** Refusals of the message itself; all others end when someone corrects the queue or the key. */
  private static final Set<String> OF_MESSAGE =
      Set.of(
          "InvalidMessageContents",
          "InvalidParameterValue",
          "InvalidParameterValueException",
          "InvalidAttributeName",
          "InvalidAttributeValue",
          "MissingParameter",
          "UnsupportedOperation",
          "AWS.SimpleQueueService.UnsupportedOperation");

  private static final int TOO_LARGE = 413;

  private final SqsApi api;
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

  SqsPublisher(SqsApi api) {
    this.api = api;
  }

  @Override
  public void publish(BrokerMessage message, Duration timeout) throws IOException {
    Map<String, Object> request = request(message);
    try {
      request.put("QueueUrl", address(message.target()));
      Map<?, ?> answer = api.ask("SendMessage", request, Duration.ZERO);
      if (SqsApi.textOf(answer, "MessageId").isEmpty()) {
        throw new IOException("SQS names no id of the message, so it may not have taken it");
      }
    } catch (SqsApi.Refusal e) {
      addresses.remove(message.target()); // it may have been created anew
      throw translated(e);
    }
  }

  private static Map<String, Object> request(BrokerMessage message) {
    var request = new LinkedHashMap<String, Object>();
    try {
      request.put(
          "MessageBody",
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message.body())).toString());
    } catch (CharacterCodingException e) {
      throw new Rejected("not-text", "SQS takes only text: nothing was sent", e);
    }
    request.put("MessageAttributes", attributes(message));
    if (Connection.Sqs.isFifo(message.target())) {
      String key = message.key();
      request.put("MessageDeduplicationId", id(message.id()));
      request.put("MessageGroupId", id(key == null ? message.id() : key));
    }
    return request;
  }

  private static Map<String, Object> attributes(BrokerMessage message) {
    var attributes = new LinkedHashMap<String, Object>();
    message.headers().forEach((name, value) -> attributes.put(name, text(value)));
    attributes.put(BrokerMessage.ID, text(message.id()));
    attributes.put(BrokerMessage.TYPE, text(message.type()));
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw new Rejected(
          "too-many-headers",
          "SQS takes %d headers, of which two are ours, but there are %d: nothing was sent"
              .formatted(MOST_ATTRIBUTES, attributes.size()));
    }
    return attributes;
  }

  private static Map<String, String> text(String value) {
    return Map.of("DataType", "String", "StringValue", value);
  }

  private static String id(String text) {
    return ID.matcher(text).matches() ? text : HexFormat.of().formatHex(Digest.sha256(text));
  }

  private String address(String target) throws IOException {
    String known = addresses.get(target);
    if (known != null) {
      return known;
    }
    String address = api.address(target);
    if (addresses.size() < MOST_KNOWN) {
      addresses.put(target, address);
    }
    return address;
  }

  private static IOException translated(SqsApi.Refusal refusal) {
    if (!refusal.isCertain()) {
      return refusal; // it may have been taken
    }
    if (refusal.status() == TOO_LARGE || OF_MESSAGE.contains(refusal.code())) {
      throw new Rejected("sqs-refused", String.valueOf(refusal.getMessage()), refusal);
    }
    throw new NotApplied(String.valueOf(refusal.getMessage()), refusal);
  }

  @Override
  public boolean isUsable() {
    return true;
  }

  /** Its connections belong to the way out. */
  @Override
  public void close() {}
}
