package dev.hapax.app.once;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.Names;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An effect that a caller wants once. It is the input of its run, so whoever recovers the run finds
 * the definition in it.
 *
 * <p>Its texts are data: <code>${</code> is sent as it is. Only {@code found} and {@code output} of
 * a lookup, and {@code externalId}, are expressions, because they need an answer.
 *
 * @param content as the caller gave it
 */
public record OnceRequest(Map<?, ?> content) {
  private static final String EFFECT = "effect";
  private static final String KEY = "key";
  private static final String KIND = "kind";
  private static final String GUARD = "guard";
  private static final String CONNECTION = "connection";
  private static final String PUBLISH = "publish";
  private static final String LOOKUP = "lookup";
  private static final List<String> OF_ANSWER = List.of("found", "output");
  private static final String STEP = "send";

  private static final List<String> KINDS = List.of("http", "db", "email", PUBLISH);
  private static final List<String> OPTIONS = List.of("timeout", "retry");
  private static final List<String> MEMBERS =
      Stream.of(List.of(EFFECT, CONNECTION), KINDS, OPTIONS).flatMap(List::stream).toList();
  private static final List<String> OF_EFFECT =
      List.of("name", KEY, GUARD, KIND, "externalId", "version");

  /** Values of any type, which the definition refers to; so many calls share one definition. */
  private static final Map<String, String> DATA = Map.of("http", "body", PUBLISH, "data");

  /** Each of them is an expression of its own, which takes time to compile. */
  private static final int MOST_PARAMETERS = 100;

  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
  private static final int FINGERPRINT_BYTES = 16;

  /** Reads the body of a call. */
  public static OnceRequest of(JsonNode json) {
    if (!(Call.value(json) instanceof Map<?, ?> content)) {
      throw Problem.invalidInput("expected an object with effect, connection and a request");
    }
    var request = new OnceRequest(content);
    request.refuseUnknown();
    return request;
  }

  /** Reads the input of a run that was started before. */
  static OnceRequest recorded(Object input) {
    return new OnceRequest((Map<?, ?>) input);
  }

  private void refuseUnknown() {
    refuseOthers("", content, MEMBERS);
    refuseOthers("effect.", map(EFFECT), OF_EFFECT);
    text(CONNECTION, content.get(CONNECTION));
    List<String> given = KINDS.stream().filter(content::containsKey).toList();
    if (given.size() != 1) {
      throw Problem.invalidInput(
          "expected one of %s, got %s"
              .formatted(String.join(", ", KINDS), given.isEmpty() ? "none" : given));
    }
    if (map(kind()).containsKey(CONNECTION)) {
      throw Problem.invalidInput(
          "%s.connection: the connection is given beside %s, not in it".formatted(kind(), kind()));
    }
    if (map(kind()).get("params") instanceof Map<?, ?> params && params.size() > MOST_PARAMETERS) {
      throw Problem.invalidInput(
          "db.params: expected at most %d, got %,d. Give one of them a list"
              .formatted(MOST_PARAMETERS, params.size()));
    }
    boolean isPublished = kind().equals(PUBLISH);
    if (!isPublished && map(EFFECT).get(GUARD) == null) {
      throw Problem.invalidInput(
          "effect.guard: expected keyed, upsert, transaction, none or a mapping such as"
              + " {\"lookup\": {…}}, got nothing");
    }
    if (isPublished && map(EFFECT).keySet().stream().anyMatch(this::isOnlyForSending)) {
      throw Problem.invalidInput(
          "effect: a published message has name and key only; the outbox sends it with a stable"
              + " id");
    }
    try {
      Names.effect(name());
      Names.key("the effect", effectKey());
      Names.key("the run", runKey());
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput(String.valueOf(e.getMessage()));
    }
  }

  private boolean isOnlyForSending(Object member) {
    return !member.equals("name") && !member.equals(KEY);
  }

  private static void refuseOthers(String where, Map<?, ?> given, List<String> known) {
    for (Object member : given.keySet()) {
      if (!known.contains(member)) {
        throw Problem.invalidInput(
            "'%s%s' is unknown; expected %s"
                .formatted(where, shown(member), String.join(", ", known)));
      }
    }
  }

  private static String shown(Object member) {
    String text = String.valueOf(member);
    return text.length() <= 64 ? text : text.substring(0, 64) + "…";
  }

  private Map<?, ?> map(String member) {
    Object value = content.get(member);
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw Problem.invalidInput(
        "%s: expected an object, got %s"
            .formatted(member, value == null ? "nothing" : "another value"));
  }

  private static String text(String what, @Nullable Object value) {
    if (value instanceof String text && !text.isBlank()) {
      return text;
    }
    throw Problem.invalidInput(
        "%s: expected a text, got %s".formatted(what, value == null ? "nothing" : "another value"));
  }

  /** Returns the name of the effect. */
  public String name() {
    return text("effect.name", map(EFFECT).get("name"));
  }

  /** Returns the business key of the effect. */
  public String effectKey() {
    return text("effect.key", map(EFFECT).get(KEY));
  }

  private String kind() {
    return KINDS.stream().filter(content::containsKey).findFirst().orElseThrow();
  }

  /**
   * Returns the key of its run: name and key. A name has neither ':' nor '@', so that different
   * pairs have different keys. An update may be wanted again with other content, so the key of its
   * run has its content's fingerprint, too.
   */
  public String runKey() {
    return "update".equals(map(EFFECT).get(KIND))
        ? "%s@%s:%s".formatted(name(), fingerprint(), effectKey())
        : "%s:%s".formatted(name(), effectKey());
  }

  private String fingerprint() {
    byte[] hash = Digest.sha256(intent());
    return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
  }

  /** Whether both want the same effect; they may want to wait and try in other ways. */
  boolean isSameIntentAs(OnceRequest other) {
    return intent().equals(other.intent());
  }

  private String intent() {
    Map<Object, Object> intent = new LinkedHashMap<>(content);
    intent.keySet().removeAll(OPTIONS);
    return CanonicalJson.of(Json.write(intent));
  }

  /**
   * Returns the flow file of one step that sends it. JSON is YAML, so the usual reader reads it.
   */
  String definition() {
    String kind = kind();
    Map<String, Object> request = literal(map(kind));
    request.put(CONNECTION, escaped(text(CONNECTION, content.get(CONNECTION))));
    String data = DATA.get(kind);
    if (data != null && request.containsKey(data)) {
      if (map(kind).get(data) == null) {
        request.remove(data);
      } else {
        request.put(data, "${input.%s.%s}".formatted(kind, data));
      }
    }
    if (kind.equals("db") && request.get("params") instanceof Map<?, ?> params) {
      request.put("params", references(params));
    }
    Map<String, Object> step = new LinkedHashMap<>();
    step.put("id", STEP);
    step.put(kind, request);
    if (!kind.equals(PUBLISH)) {
      step.put(EFFECT, contract());
    }
    for (String option : OPTIONS) {
      Object given = content.get(option);
      if (given != null) {
        step.put(option, literal(given));
      }
    }
    Map<String, Object> flow = new LinkedHashMap<>();
    flow.put("flow", "once");
    flow.put(KEY, "${input.effect.key}");
    flow.put("steps", List.of(step));
    flow.put("output", "${steps.%s.output}".formatted(STEP));
    return Json.write(flow);
  }

  private Map<String, Object> contract() {
    Map<String, Object> contract = literal(map(EFFECT));
    contract.put(KEY, "${input.effect.key}");
    contract.putIfAbsent(KIND, "create");
    Object externalId = map(EFFECT).get("externalId");
    if (externalId != null) {
      contract.put("externalId", externalId);
    }
    if (map(EFFECT).get(GUARD) instanceof Map<?, ?> guard) {
      contract.put(GUARD, guard(guard));
    }
    return contract;
  }

  /** Two members of a lookup are expressions about its answer. */
  private static Map<String, Object> guard(Map<?, ?> given) {
    Map<String, Object> guard = literal(given);
    if (given.get(LOOKUP) instanceof Map<?, ?> asked) {
      Map<String, Object> lookup = literal(asked);
      for (String expression : OF_ANSWER) {
        Object value = asked.get(expression);
        if (value != null) {
          lookup.put(expression, value);
        }
      }
      guard.put(LOOKUP, lookup);
    }
    return guard;
  }

  /** A parameter of another name keeps its value in the definition. */
  private static Map<String, Object> references(Map<?, ?> params) {
    Map<String, Object> references = new LinkedHashMap<>();
    params.forEach(
        (name, value) ->
            references.put(
                String.valueOf(name),
                PARAMETER.matcher(String.valueOf(name)).matches()
                    ? "${input.db.params['%s']}".formatted(name)
                    : value));
    return references;
  }

  private static Map<String, Object> literal(Map<?, ?> given) {
    Map<String, Object> literal = new LinkedHashMap<>();
    given.forEach((name, value) -> literal.put(String.valueOf(name), literal(value)));
    return literal;
  }

  private static Object literal(Object value) {
    return switch (value) {
      case Map<?, ?> map -> literal(map);
      case List<?> list -> list.stream().map(OnceRequest::literal).toList();
      case String text -> escaped(text);
      case null, default -> value;
    };
  }

  private static String escaped(String text) {
    return text.replace("${", "$${");
  }
}
