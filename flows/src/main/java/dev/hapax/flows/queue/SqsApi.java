package dev.hapax.flows.queue;

import dev.hapax.flow.NotApplied;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks SQS in its JSON protocol, over the way out of all connections. Safe for many threads. */
final class SqsApi {
  /** Ten messages of the largest size, with all that JSON may add to them. */
  private static final int LARGEST_ANSWER = 24 << 20;

  private static final int LARGEST_REFUSAL = 64 << 10;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** A refused request has this many characters of its reason in a message. */
  private static final int LONGEST_REASON = 500;

  private final WayOut wayOut;
  private final Connection.Http place;

  /** SQS at this place, whose credential signs the requests. */
  SqsApi(WayOut wayOut, Connection.Http place) {
    this.wayOut = wayOut;
    this.place = place;
  }

  /** The answer to a request that was not carried out, or perhaps was if the status is 5xx. */
  static final class Refusal extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    Refusal(String action, int status, String code, String reason) {
      super(
          "%s was refused with HTTP %d %s%s"
              .formatted(action, status, code, reason.isEmpty() ? "" : ": " + reason));
      this.status = status;
      this.code = code;
    }

    /** Whether the request was not carried out. */
    boolean isCertain() {
      return status >= 400 && status < 500;
    }

    int status() {
      return status;
    }

    String code() {
      return code;
    }
  }

  /** An answer that has no place in memory; one to a request for less may have. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(String message) {
      super(message);
    }
  }

  /** Larger bodies are refused. */
  private static final class NoLarger implements LargeBodies {
    @Override
    public int largestValue() {
      return LARGEST_ANSWER;
    }

    @Override
    public int largestValue(int status) {
      return status >= 200 && status < 300 ? LARGEST_ANSWER : LARGEST_REFUSAL;
    }

    @Override
    public Object keep(InputStream body, String contentType) throws IOException {
      throw new TooLarge("the answer has more than %,d bytes".formatted(LARGEST_ANSWER));
    }
  }

  /**
   * Asks once.
   *
   * @param wait how long the answer may take besides the usual time
   * @throws Refusal if the answer is no success
   * @throws TooLarge if its value would take more memory than there is for answers
   * @throws IOException if there is no answer, or none that can be read
   */
  Map<?, ?> ask(String action, Map<String, ?> parameters, Duration wait) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/x-amz-json-1.0");
    headers.put("X-Amz-Target", "AmazonSQS." + action);
    HttpAnswer answer =
        wayOut.http(
            place,
            new HttpRequest(place.name(), "POST", "/", headers, Json.write(parameters)),
            Map.of(),
            TIMEOUT.plus(wait),
            new NoLarger());
    if (answer.status() < 200 || answer.status() >= 300) {
      throw refusal(action, answer);
    }
    if (answer.body().length == 0) {
      return Map.of(); // some actions have no answer but success
    }
    Map<?, ?> read = read(answer.body());
    if (read == null) {
      throw new IOException("the answer to %s is not a JSON object".formatted(action));
    }
    return read;
  }

  /** Returns the address of a queue, which names it in all other requests. */
  String address(String queue) throws IOException {
    if (SqsBroker.isAddress(queue)) {
      return queue;
    }
    Map<?, ?> found = ask("GetQueueUrl", Map.of("QueueName", queue), Duration.ZERO);
    String address = textOf(found, "QueueUrl");
    if (address.isEmpty()) {
      throw new NotApplied("SQS names no address of queue '%s'".formatted(queue));
    }
    return address;
  }

  private static Refusal refusal(String action, HttpAnswer answer) throws TooLarge {
    Map<?, ?> body = read(answer.body());
    String type = body == null ? "" : textOf(body, "__type");
    String reason = body == null ? "" : textOf(body, "message");
    if (reason.isEmpty() && body != null) {
      reason = textOf(body, "Message");
    }
    return new Refusal(
        action,
        answer.status(),
        shortened(type.substring(type.indexOf('#') + 1)),
        shortened(reason));
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
  }

  private static @Nullable Map<?, ?> read(byte[] body) throws TooLarge {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      if (AnswerRoom.isTooLarge(text)) {
        throw new TooLarge(
            "an answer of %,d bytes would take more memory than there is for answers"
                .formatted(body.length));
      }
      return AnswerRoom.read(text) instanceof Map<?, ?> map ? map : null;
    } catch (CharacterCodingException | RuntimeException e) { // of the JSON library
      return null;
    }
  }

  /** Returns a member's text; empty if there is none. */
  static String textOf(Map<?, ?> map, String name) {
    return map.get(name) instanceof String text ? text : "";
  }

  /** Returns the objects of a member that is a list; none if there is no list. */
  static List<Map<?, ?>> objectsOf(Map<?, ?> map, String name) throws IOException {
    Object list = map.get(name);
    if (list == null) {
      return List.of();
    }
    var objects = new ArrayList<Map<?, ?>>();
    if (list instanceof List<?> all) {
      for (Object one : all) {
        if (one instanceof Map<?, ?> object) {
          objects.add(object);
        }
      }
      if (objects.size() == all.size()) {
        return objects;
      }
    }
    throw new IOException("'%s' of an answer of SQS is no list of objects".formatted(name));
  }
}
