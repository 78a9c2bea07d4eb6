package dev.hapax.trial.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.trial.sandbox.LargeBody;
import dev.hapax.trial.sandbox.RawBody;
import dev.hapax.trial.sandbox.SandboxAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a destination, without secrets. At most one of the four forms of a body is there.
 *
 * @param at when it came
 * @param times how often in a row it came; null for once
 * @param headers by lower-case name
 * @param body JSON
 * @param text of any other text, or of JSON that cannot be read
 * @param base64 of bytes that are no text
 * @param bytes the size of a body that is too large for a recording; as many bytes are made up
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RecordedAnswer(
    Instant at,
    @Nullable Integer times,
    int status,
    @Nullable Map<String, String> headers,
    @Nullable Object body,
    @Nullable String text,
    @Nullable String base64,
    @Nullable Long bytes) {
  /** The largest body that is recorded. */
  static final int MOST_BYTES = 256 << 10;

  private static final long MOST_MADE_UP = 60_000_000;
  private static final int MOST_HEADERS = 60;
  private static final int LONGEST_HEADER = 4_000;
  private static final String HIDDEN = "[redacted]";

  /** They belong to the connection, or change with each answer. */
  private static final Set<String> OF_THE_WIRE =
      Set.of("connection", "content-length", "date", "keep-alive", "transfer-encoding", "trailer");

  /**
   * Takes an answer down.
   *
   * @param size of its body on the wire
   */
  static RecordedAnswer of(HttpAnswer answer, long size, Redaction redaction, Instant at) {
    var plain =
        new RecordedAnswer(
            at, null, answer.status(), headers(answer, redaction), null, null, null, null);
    if (answer.kept() != null || size > MOST_BYTES) {
      return plain.with(null, null, null, size);
    }
    return size == 0 ? plain : plain.with(answer, redaction);
  }

  private RecordedAnswer with(HttpAnswer answer, Redaction redaction) {
    String utf8 = textIn(answer.body());
    if (utf8 == null) {
      byte[] clean = redacted(answer.body(), redaction);
      return with(null, null, Base64.getEncoder().encodeToString(clean), null);
    }
    boolean isJson = isJson(answer.header("content-type", ""));
    Object json = isJson ? jsonIn(utf8) : null;
    Object clean = json == null ? null : redaction.redact(json);
    return clean == null
        ? with(null, redaction.redact(utf8), null, null)
        : with(clean, null, null, null);
  }

  private RecordedAnswer with(
      @Nullable Object json, @Nullable String plain, @Nullable String binary, @Nullable Long size) {
    return new RecordedAnswer(at, times, status, headers, json, plain, binary, size);
  }

  private static byte[] redacted(byte[] body, Redaction redaction) {
    try (var in = redaction.redact(new ByteArrayInputStream(body))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // from memory: never
    }
  }

  private static boolean isJson(String type) {
    return type.toLowerCase(Locale.ROOT).contains("json");
  }

  private static @Nullable String textIn(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Returns the value of a JSON text that can also be written inside a recording; else null. */
  static @Nullable Object jsonIn(String text) {
    try {
      Object value = Json.read(text, Object.class);
      if (value != null) {
        var _ = Json.write(List.of(List.of(List.of(List.of(List.of(List.of(value)))))));
      }
      return value;
    } catch (NotSerializable e) {
      return null;
    }
  }

  private static Map<String, String> headers(HttpAnswer answer, Redaction redaction) {
    var kept = new TreeMap<String, String>();
    answer.headers().entrySet().stream()
        .filter(header -> !OF_THE_WIRE.contains(header.getKey()))
        .filter(header -> header.getValue().length() <= LONGEST_HEADER)
        .limit(MOST_HEADERS)
        .forEach(
            header ->
                kept.put(
                    redaction.redact(header.getKey()),
                    CredentialHeaders.contains(header.getKey())
                        ? HIDDEN
                        : redaction.redact(header.getValue())));
    return kept;
  }

  /** Returns it as the sandbox gives it to a step. */
  SandboxAnswer answer() {
    Map<String, String> names = headers == null ? Map.of() : headers;
    SandboxAnswer answer = SandboxAnswer.USUAL.status(status).headers(names);
    if (bytes != null) {
      return answer.body(new LargeBody((int) Math.min(bytes, MOST_MADE_UP)));
    }
    if (base64 != null) {
      return answer.body(new RawBody(Base64.getDecoder().decode(base64)));
    }
    if (text != null) {
      return isJson(names.getOrDefault("content-type", ""))
          ? answer.body(new RawBody(text.getBytes(StandardCharsets.UTF_8)))
          : answer.body(text);
    }
    return answer.body(body);
  }

  int count() {
    return times == null ? 1 : times;
  }

  RecordedAnswer onceMore() {
    return new RecordedAnswer(at, count() + 1, status, headers, body, text, base64, bytes);
  }

  boolean isSameAs(RecordedAnswer other) {
    return status == other.status
        && Objects.equals(headers, other.headers)
        && Objects.equals(body, other.body)
        && Objects.equals(text, other.text)
        && Objects.equals(base64, other.base64)
        && Objects.equals(bytes, other.bytes);
  }

  /** Returns what is wrong with it; null if it can be given. */
  @Nullable String problem() {
    if (status < 100 || status > 599) {
      return "status: expected 100 to 599, got " + status;
    }
    if (times != null && times < 1) {
      return "times: expected 1 or more, got " + times;
    }
    if (bytes != null && bytes < 0) {
      return "bytes: expected 0 or more, got " + bytes;
    }
    try {
      var _ = base64 == null ? new byte[0] : Base64.getDecoder().decode(base64);
      return null;
    } catch (IllegalArgumentException e) {
      return "base64: " + e.getMessage();
    }
  }
}
