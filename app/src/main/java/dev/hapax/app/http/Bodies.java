package dev.hapax.app.http;

import dev.hapax.json.HugeNumber;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON of requests strictly, and writes JSON of answers. Refuses what two readers could
 * understand differently, or a database could not store as it is: duplicate members, NUL, lone
 * surrogates, bytes that are no UTF-8.
 */
final class Bodies {
  private static final int DEEPEST = 100;
  private static final int MOST_DIGITS = 1_000;
  private static final Pattern LONG_EXPONENT = Pattern.compile("\\d[eE][+-]?\\d{4}");
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxStringLength(5_000_000)
                          .maxNumberLength(MOST_DIGITS)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT) // 1.9 is no release 1
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final ObjectWriter PIECEWISE =
      MAPPER.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET);

  private Bodies() {}

  static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /** Writes the value to a stream, which stays open. */
  static void write(Object value, OutputStream out) {
    PIECEWISE.writeValue(out, value);
  }

  /** Returns the bytes as text; refuses invalid UTF-8. */
  static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw Problem.invalidInput("body: expected UTF-8, got other bytes");
    }
  }

  static JsonNode tree(String text) {
    JsonNode tree = read(text, JsonNode.class);
    if (text.contains("\\u")) { // only an escape can bring in what UTF-8 and JSON refuse
      refuseUnstorable(tree);
    }
    if (LONG_EXPONENT.matcher(text).find()) {
      HugeNumber huge = HugeNumber.in(tree);
      if (huge != null) {
        throw Problem.invalidInput("body: " + huge);
      }
    }
    return tree;
  }

  static <T> T read(JsonNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JacksonException e) {
      throw refused(e);
    }
  }

  private static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JacksonException e) {
      throw refused(e);
    } catch (NumberFormatException e) { // 1e999999999999 is no BigDecimal
      throw Problem.invalidInput("body: a number is too large or too small");
    }
  }

  private static Problem refused(JacksonException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      return Problem.invalidInput(
          "body: '%s' is unknown; known are %s"
              .formatted(unknown.getPropertyName(), unknown.getKnownPropertyIds()));
    }
    if (e instanceof MismatchedInputException mismatch
        && mismatch.getTargetType() != null
        && !e.getPath().isEmpty()) {
      return Problem.invalidInput(
          "body: '%s': expected %s".formatted(fieldOf(e), wordsFor(mismatch.getTargetType())));
    }
    var where = e.getLocation();
    String place =
        where == null || where.getLineNr() < 1
            ? ""
            : " at line %d, column %d".formatted(where.getLineNr(), where.getColumnNr());
    return Problem.invalidInput(
        "body: expected JSON%s: %s".formatted(place, e.getOriginalMessage()));
  }

  /** Returns the path of names to the value that does not fit. */
  private static String fieldOf(JacksonException e) {
    return e.getPath().stream()
        .map(step -> step.getPropertyName() == null ? "" + step.getIndex() : step.getPropertyName())
        .collect(Collectors.joining("."));
  }

  private static String wordsFor(Class<?> type) {
    if (type == Instant.class) {
      return "a time such as 2026-11-15T10:00:00Z";
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (Number.class.isAssignableFrom(type)) {
      return "a whole number";
    }
    return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
  }

  private static void refuseUnstorable(JsonNode node) {
    if (node.isString()) {
      refuseUnstorable(node.stringValue());
    } else if (node.isObject()) {
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        refuseUnstorable(member.getKey());
        refuseUnstorable(member.getValue());
      }
    } else {
      node.forEach(Bodies::refuseUnstorable);
    }
  }

  static void refuseUnstorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw Problem.invalidInput("a text holds NUL, which cannot be stored. Remove it.");
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw Problem.invalidInput(
            "a text holds the lone surrogate U+%04X, which cannot be stored. Remove or replace it."
                .formatted((int) c));
      }
    }
  }
}
