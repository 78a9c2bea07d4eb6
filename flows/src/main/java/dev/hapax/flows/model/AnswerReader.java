package dev.hapax.flows.model;

import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one answer as it arrives. What has been read so far stays known if the rest never comes:
 * its tokens are paid for. Of one thread.
 */
public abstract sealed class AnswerReader permits OpenAiAnswer, AnthropicAnswer {
  /** Each token has some hundred bytes of stream around it. */
  private static final long BYTES_PER_TEXT = 64;

  /** A character has at most six bytes in JSON, and an answer that comes at once little else. */
  private static final long BYTES_AT_ONCE = 8;

  private static final long LEAST_BYTES = 4L << 20;
  private static final long MOST_BYTES = 64L << 20;

  private final int mostText;
  private int texts;

  AnswerReader(int mostText) {
    this.mostText = mostText;
  }

  /**
   * Returns the reader of a dialect.
   *
   * @param mostText the longest answer, in characters, with all inputs of tools
   */
  public static AnswerReader of(ModelDialect dialect, int mostText) {
    return switch (dialect) {
      case OPENAI -> new OpenAiAnswer(mostText);
      case ANTHROPIC -> new AnthropicAnswer(mostText);
    };
  }

  /** Reads a body of a successful answer, up to the end of the answer. */
  public void read(InputStream body, String contentType) throws IOException {
    long mostBytes = Math.clamp(mostText * BYTES_PER_TEXT, LEAST_BYTES, MOST_BYTES);
    if (contentType.contains("event-stream")) {
      var events = new EventLines(body, mostBytes);
      for (String data = events.next(); data != null && !isEnd(); data = events.next()) {
        heard(data);
        if (isEnd()) {
          return; // what follows is not read, and so cannot be endless
        }
      }
      return;
    }
    long most = Math.clamp(mostText * BYTES_AT_ONCE, LEAST_BYTES, MOST_BYTES);
    byte[] whole = body.readNBytes((int) most + 1);
    if (whole.length > most) {
      throw BadAnswer.tooLarge("the answer has more than %,d bytes".formatted(most));
    }
    whole(object(new String(whole, StandardCharsets.UTF_8)));
  }

  /** One event of a stream. */
  abstract void heard(String data) throws BadAnswer;

  /** An answer that came at once. */
  abstract void whole(Map<?, ?> answer) throws BadAnswer;

  /** Whether the provider has said that nothing follows. */
  abstract boolean isEnd();

  /** Returns the whole answer, or says why it is not whole. */
  public abstract ModelAnswer answer() throws BadAnswer;

  /** Returns the tokens that are known by now; null if none are. */
  public abstract @Nullable ModelTokens tokens();

  /** Takes room for a piece of text. */
  String taken(String piece) throws BadAnswer {
    texts += piece.length();
    if (texts > mostText || texts < 0) {
      throw BadAnswer.tooLarge("the answer has more than %,d characters".formatted(mostText));
    }
    return piece;
  }

  // ---- JSON of unknown shape

  static Map<?, ?> object(String text) throws BadAnswer {
    if (AnswerRoom.isTooLarge(text)) {
      throw BadAnswer.tooLarge("the values of the answer would take too much memory");
    }
    try {
      if (AnswerRoom.read(text) instanceof Map<?, ?> map) {
        return map;
      }
    } catch (NotSerializable e) {
      // said below
    }
    throw BadAnswer.of("expected a JSON object, got '%s'".formatted(shortened(text)));
  }

  static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  static @Nullable String text(@Nullable Object value) {
    return value instanceof String text ? text : null;
  }

  static String textOr(@Nullable Object value, String otherwise) {
    return value instanceof String text ? text : otherwise;
  }

  static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /**
   * Returns a number of tokens; null if it is none. A price of half a token, or of less than none,
   * would be a wrong one, and an unknown one counts with the most that the call could cost.
   */
  static @Nullable Long count(@Nullable Object value) {
    if (!(value instanceof Number number)) {
      return null;
    }
    BigDecimal exact;
    try {
      exact = new BigDecimal(number.toString());
    } catch (NumberFormatException e) {
      return null; // neither a number nor an infinite one
    }
    boolean isCount =
        exact.signum() >= 0
            && exact.compareTo(ModelTokens.MOST_OF_CALL) <= 0
            && exact.stripTrailingZeros().scale() <= 0;
    return isCount ? exact.longValue() : null;
  }

  /** Returns a part of the tokens that cost less; if it is no count, none do. */
  static long cheap(@Nullable Object value) {
    Long count = count(value);
    return count == null ? 0 : count;
  }

  /** Fails with what the provider says has gone wrong in the middle. */
  static void refuseError(Map<?, ?> data) throws BadAnswer {
    Object error = data.get("error");
    if (error != null) {
      throw BadAnswer.of(
          "the provider broke off: "
              + shortened(error instanceof String s ? s : Json.write(error)));
    }
  }

  static String shortened(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "…";
  }
}
