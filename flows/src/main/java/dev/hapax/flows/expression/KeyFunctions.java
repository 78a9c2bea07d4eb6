package dev.hapax.flows.expression;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.ValueBudget;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The functions for keys: the same value for the same intent, however it is written. And {@code
 * raw}, which only marks a value of an address.
 */
final class KeyFunctions {
  private static final CelType TEXT = SimpleType.STRING;
  private static final CelType ANY = SimpleType.DYN;
  private static final Pattern SPACES = Pattern.compile("[\\s\\p{Z}]+");

  private KeyFunctions() {}

  static List<CelFunctionDecl> declarations() {
    return List.of(
        global("bucket", TEXT, ANY, TEXT),
        global("canonical", TEXT, ANY),
        global("normalize", TEXT, TEXT),
        global("raw", ANY, ANY),
        global("lower", TEXT, TEXT),
        global("trim", TEXT, TEXT),
        CelFunctionDecl.newFunctionDeclaration(
            "join",
            CelOverloadDecl.newGlobalOverload("hapax_join", TEXT, ListType.create(ANY)),
            CelOverloadDecl.newGlobalOverload("hapax_join_by", TEXT, ListType.create(ANY), TEXT)));
  }

  private static CelFunctionDecl global(String name, CelType result, CelType... parameters) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newGlobalOverload("hapax_" + name, result, parameters));
  }

  static List<CelFunctionBinding> bindings() {
    var all = new ArrayList<CelFunctionBinding>();
    all.add(
        CelFunctionBinding.from("hapax_bucket", Object.class, String.class, KeyFunctions::bucket));
    all.add(CelFunctionBinding.from("hapax_canonical", Object.class, KeyFunctions::canonical));
    all.add(CelFunctionBinding.from("hapax_raw", Object.class, value -> value));
    all.add(CelFunctionBinding.from("hapax_normalize", String.class, KeyFunctions::normalize));
    all.add(
        CelFunctionBinding.from(
            "hapax_lower", String.class, (String text) -> text.toLowerCase(Locale.ROOT)));
    all.add(CelFunctionBinding.from("hapax_trim", String.class, String::strip));
    all.add(CelFunctionBinding.from("hapax_join", List.class, list -> join(list, "")));
    all.add(CelFunctionBinding.from("hapax_join_by", List.class, String.class, KeyFunctions::join));
    return all;
  }

  /** Returns the begin of the span that contains this instant, so that a repeat gives one key. */
  private static String bucket(Object time, String span) {
    Duration length = Durations.parse(span);
    if (length == null || length.isZero()) {
      throw new IllegalArgumentException(
          "bucket: expected a duration such as '1h', got '%s'".formatted(span));
    }
    long millis = length.toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(instant(time).toEpochMilli(), millis) * millis)
        .toString();
  }

  private static Instant instant(Object time) {
    try {
      return switch (time) {
        case Instant instant -> instant;
        case String text -> OffsetDateTime.parse(text).toInstant();
        case Long epochSeconds -> Instant.ofEpochSecond(epochSeconds);
        default ->
            throw new IllegalArgumentException(
                "bucket: expected a time, got " + time.getClass().getSimpleName());
      };
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "bucket: expected a time such as '2026-11-15T10:00:00Z', got '%s'".formatted(time), e);
    }
  }

  private static String canonical(Object value) {
    ValueBudget room = EvaluationRoom.oneValue();
    Object plain = CelValues.fromCel(value, room);
    String text = plain == null ? "null" : Json.write(plain);
    return HexFormat.of().formatHex(Digest.sha256(CanonicalJson.of(text)));
  }

  private static String normalize(String text) {
    String composed = Normalizer.normalize(text, Normalizer.Form.NFC);
    return SPACES.matcher(composed).replaceAll(" ").strip();
  }

  private static String join(List<?> values, String separator) {
    ValueBudget room = EvaluationRoom.oneValue();
    var joined = new StringBuilder();
    String before = "";
    for (Object value : values) {
      room.takeText(before);
      joined.append(before);
      Object plain = CelValues.fromCel(value, EvaluationRoom.oneValue());
      joined.append(Template.textOf(plain, room));
      before = separator;
    }
    return joined.toString();
  }
}
