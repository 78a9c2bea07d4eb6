package dev.hapax.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Writes inputs, requests and results as JSON text and reads them back. Safe for many threads. */
public final class Json {
  private static final int DEEPEST = 100;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxStringLength(1 << 26) // no result is larger
                          .maxNumberLength(1_000)
                          .build())
                  // Do not write what cannot be read back.
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          // Two members with the same name make a fingerprint ambiguous.
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          // A time keeps its offset, and a ZonedDateTime its zone.
          .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
          // 40.00 stays 40.00 when it is read back.
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** Why a type cannot be read back; empty if it can, or if only a value can show it. */
  private static final ClassValue<Optional<String>> UNREADABLE =
      new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
          return whyUnreadable(type);
        }
      };

  private Json() {}

  /**
   * Returns why values of this type can be written but not read back; null if no reason is known.
   * The JSON of an interface or an abstract class does not name the class to read, unless an
   * annotation adds it.
   */
  public static @Nullable String unreadable(Class<?> type) {
    return UNREADABLE.get(type).orElse(null);
  }

  /** As above, for a type with arguments: each argument must be readable. */
  public static @Nullable String unreadable(Type type) {
    return switch (type) {
      case Class<?> plain -> unreadable(plain);
      case GenericArrayType array -> unreadable(array.getGenericComponentType());
      case ParameterizedType generic -> {
        String why = unreadable(generic.getRawType());
        for (Type argument : generic.getActualTypeArguments()) {
          why = why == null ? unreadable(argument) : why;
        }
        yield why;
      }
      default -> "%s is not a complete type".formatted(type.getTypeName());
    };
  }

  private static Optional<String> whyUnreadable(Class<?> type) {
    if (type.isArray()) {
      return UNREADABLE.get(type.getComponentType());
    }
    boolean isOpen =
        Modifier.isAbstract(type.getModifiers())
            && !type.isPrimitive()
            && !type.isEnum()
            && !type.getName().startsWith("java.");
    if (!isOpen) {
      return Optional.empty();
    }
    try {
      MAPPER.readValue("{}", type);
      return Optional.empty();
    } catch (InvalidDefinitionException e) {
      return Optional.of(
          "%s is %s: its JSON does not say which class to read back. Annotate it with @JsonTypeInfo, or use a record."
              .formatted(
                  type.getName(), type.isInterface() ? "an interface" : "an abstract class"));
    } catch (JacksonException e) {
      return Optional.empty(); // it can be read, but not from an empty object
    }
  }

  /**
   * Returns the value as storable JSON text. Refuses text that a database would silently change.
   */
  public static String write(Object value) {
    try {
      String text = MAPPER.writeValueAsString(value);
      refuseLoneSurrogates(text);
      return text;
    } catch (JacksonException | StackOverflowError e) {
      throw cannotBeWritten(value, e);
    }
  }

  /** Returns the value as JSON text on many lines, for files that people read. */
  public static String indented(Object value) {
    try {
      String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
      refuseLoneSurrogates(text);
      return text;
    } catch (JacksonException | StackOverflowError e) {
      throw cannotBeWritten(value, e);
    }
  }

  /**
   * As above, but no more than this is ever built: a value that shares its parts can be small in
   * memory and too large for it as text.
   *
   * @throws ValueTooLarge if its text has more bytes in UTF-8
   */
  public static String write(Object value, int mostBytes) {
    var text = new BoundedText(mostBytes);
    try {
      MAPPER.writeValue(text, value);
    } catch (JacksonException | StackOverflowError e) {
      throw text.isFull() ? tooLarge(mostBytes) : cannotBeWritten(value, e);
    }
    String written = text.toString();
    if (Text.isLonger(written, mostBytes)) {
      throw tooLarge(mostBytes);
    }
    refuseLoneSurrogates(written);
    return written;
  }

  /** Returns the first characters of the JSON text, for people; the rest is never built. */
  public static String beginning(Object value, int mostCharacters) {
    var text = new BoundedText(mostCharacters);
    try {
      MAPPER.writeValue(text, value);
    } catch (JacksonException | StackOverflowError e) {
      if (!text.isFull()) {
        throw cannotBeWritten(value, e);
      }
    }
    return text.toString();
  }

  private static ValueTooLarge tooLarge(int mostBytes) {
    return new ValueTooLarge(
        "a value is too large: its JSON has more than %,d bytes. Store it elsewhere and pass a reference."
            .formatted(mostBytes));
  }

  private static NotSerializable cannotBeWritten(Object value, Throwable e) {
    return new NotSerializable(
        "a value of "
            + value.getClass().getName()
            + " cannot be written as JSON: "
            + e.getMessage(),
        e);
  }

  @SuppressWarnings("unchecked") // type.cast does not work for primitive types
  public static <T> T read(String text, Class<T> type) {
    return (T) readAs(text, type);
  }

  /** As above, for types with type arguments too. */
  public static Object readAs(String text, Type type) {
    try {
      return type instanceof Class<?> plain
          ? MAPPER.readValue(text, plain)
          : MAPPER.readValue(text, MAPPER.constructType(type));
    } catch (JacksonException
        | NumberFormatException
        | StackOverflowError e) { // 1e999999999999 is no BigDecimal
      throw new NotSerializable(
          "JSON cannot be read as " + type.getTypeName() + ": " + e.getMessage(), e);
    }
  }

  public static JsonNode tree(String text) {
    return read(text, JsonNode.class);
  }

  /**
   * A lone surrogate has no UTF-8 form: a database would store '?' and two different values would
   * become one.
   */
  static void refuseLoneSurrogates(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new NotSerializable(
            "a text holds the lone surrogate U+%04X at character %d of its JSON: it has no UTF-8 form and cannot be stored. Remove or replace it."
                .formatted((int) c, i),
            null);
      }
    }
  }
}
