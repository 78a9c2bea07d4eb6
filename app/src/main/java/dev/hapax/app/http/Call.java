package dev.hapax.app.http;

import dev.hapax.Hapax;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** One call of a route: the caller and the request. Used by one thread. */
public final class Call {
  static final int LARGEST_PAGE = 200;
  private static final int PAGE = 50;
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Request request;
  private final @Nullable Actor actor;
  private final Tenants tenants;
  private final LabelsOfFlows labels;

  public Call(Request request, @Nullable Actor actor, Tenants tenants, LabelsOfFlows labels) {
    this.request = request;
    this.actor = actor;
    this.tenants = tenants;
    this.labels = labels;
  }

  /** Returns the caller; a public route has none. */
  public Actor actor() {
    if (actor == null) {
      throw new IllegalStateException("a public route does not know who calls");
    }
    return actor;
  }

  /** Returns whether the caller's token may use this flow. */
  public boolean mayUse(String flow) {
    return actor().flows().allows(flow, name -> labels.of(actor().tenant(), name));
  }

  /** Returns the engine as the caller's tenant sees it. */
  public Hapax hapax() {
    return tenants.hapax(actor().tenant());
  }

  /** Returns the engine as a space of the caller's tenant sees it. */
  public Hapax hapax(UnaryOperator<String> spaceOfTenant) {
    return tenants.hapax(spaceOfTenant.apply(actor().tenant()));
  }

  /** Returns another call of the same caller, inside this one. */
  Call inner(Request inner) {
    return new Call(inner, actor, tenants, labels);
  }

  public String path() {
    return request.path();
  }

  /** Returns the parameter of this name in the path. */
  public String path(String name) {
    String value = request.pathParameter(name);
    Bodies.refuseUnstorable(value);
    return value;
  }

  /** Returns the query parameter of this name; null if it is missing, a problem if repeated. */
  public @Nullable String query(String name) {
    List<String> values = request.queryParameters(name);
    if (values.size() > 1) {
      throw Problem.invalidInput("%s: expected one value, got %d".formatted(name, values.size()));
    }
    String value = values.isEmpty() ? null : values.getFirst();
    if (value != null) {
      Bodies.refuseUnstorable(value);
    }
    return value;
  }

  /** Returns a {@code true} or {@code false} parameter; false if it was not given. */
  public boolean flag(String name) {
    String value = query(name);
    return switch (value) {
      case null -> false;
      case "true", "" -> true;
      case "false" -> false;
      default ->
          throw Problem.invalidInput("%s: expected true or false, got '%s'".formatted(name, value));
    };
  }

  /** Returns how many items a page may have: {@code ?limit=}, 50 unless it is given. */
  public int limit() {
    String given = query("limit");
    if (given == null) {
      return PAGE;
    }
    try {
      int limit = Integer.parseInt(given);
      if (limit >= 1 && limit <= LARGEST_PAGE) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw Problem.invalidInput("limit: expected 1 to %d, got '%s'".formatted(LARGEST_PAGE, given));
  }

  /**
   * Refuses query parameters that the route does not know: a filter with a typo finds too much. A
   * known name that ends with {@code *} stands for all that begin with the rest of it.
   */
  public void allowQuery(String... known) {
    Set<String> names = Set.of(known);
    for (String given : request.queryNames()) {
      if (!names.contains(given) && names.stream().noneMatch(name -> isBeginning(name, given))) {
        throw Problem.invalidInput(
            "query: '%s' is unknown; known are %s".formatted(given, List.of(known)));
      }
    }
  }

  private static boolean isBeginning(String known, String given) {
    return known.endsWith("*") && given.startsWith(known.substring(0, known.length() - 1));
  }

  /** Returns the query parameters that begin with this, by the rest of their names. */
  public Map<String, String> queries(String beginning) {
    var found = new LinkedHashMap<String, String>();
    for (String name : request.queryNames()) {
      String value = name.startsWith(beginning) ? query(name) : null;
      if (value != null) {
        found.put(name.substring(beginning.length()), value);
      }
    }
    return found;
  }

  /** Returns the header of this name; null if there is none. */
  public @Nullable String header(String name) {
    return request.header(name);
  }

  /** Returns all headers as they arrived, by name in lower case. */
  public Map<String, List<String>> headers() {
    return request.headers();
  }

  /** Returns the body as it arrived. */
  public byte[] body() {
    return request.body();
  }

  /** Returns the body as text, for example a flow file. */
  public String text() {
    return Bodies.text(request.bodyToParse());
  }

  /** Releases the body's memory, for a call that has read the body and may take long. */
  public void forgetBody() {
    request.forgetBody();
  }

  public String remoteAddress() {
    return request.remoteAddress();
  }

  /** Returns the body as JSON, read strictly; refuses another content type and an empty body. */
  public JsonNode json() {
    byte[] body = request.bodyToParse();
    if (body.length == 0) {
      throw Problem.invalidInput("body: expected JSON, got nothing");
    }
    refuseOtherThanJson();
    return Bodies.tree(Bodies.text(body));
  }

  /** As {@link #json()}, for peers whose content type is unreliable. */
  public JsonNode jsonOfAnyType() {
    return Bodies.tree(text());
  }

  /** As {@link #json()}; an empty body is an empty object. */
  public JsonNode jsonOrEmpty() {
    return request.body().length == 0 ? JsonNodeFactory.instance.objectNode() : json();
  }

  /** Returns the body as plain values (maps, lists, texts, numbers); empty map if it is empty. */
  public Object valueOrEmpty() {
    return request.body().length == 0 ? Map.of() : value(json());
  }

  /** As {@link #valueOrEmpty()}; an empty body and {@code null} are null. */
  public @Nullable Object valueOrNull() {
    if (request.body().length == 0) {
      return null;
    }
    JsonNode json = json();
    return json.isNull() ? null : value(json);
  }

  /** Returns a value as JSON, as an answer shows it. */
  public static JsonNode shown(Object value) {
    return Bodies.tree(new String(Bodies.write(value), StandardCharsets.UTF_8));
  }

  /** Reads JSON of a part of the body, as strictly as a body. */
  public static JsonNode parsed(String json) {
    return Bodies.tree(json);
  }

  /** Reads a part of the body into a record; refuses members that the record does not have. */
  public static <T> T read(JsonNode part, Class<T> type) {
    return Bodies.read(object(part), type);
  }

  /** Returns JSON as plain values. */
  public static Object value(JsonNode json) {
    if (json.isNull()) {
      throw Problem.invalidInput("expected a value, got null");
    }
    return Bodies.read(json, Object.class);
  }

  /** Returns the fields of an HTML form. */
  public Map<String, String> form() {
    String type = request.header("Content-Type");
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(FORM)) {
      throw Problem.unsupportedMediaType("Content-Type: expected " + FORM);
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : text().split("&", -1)) {
      int end = field.indexOf('=');
      if (end > 0) {
        fields.put(decoded(field.substring(0, end)), decoded(field.substring(end + 1)));
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      String plain = URLDecoder.decode(text, StandardCharsets.UTF_8);
      Bodies.refuseUnstorable(plain);
      return plain;
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("body: expected form fields");
    }
  }

  /** Returns the body as a record; refuses members that the record does not have. */
  public <T> T json(Class<T> type) {
    return Bodies.read(object(json()), type);
  }

  /** As {@link #json(Class)}; an empty body is an empty object. */
  public <T> T jsonOrEmpty(Class<T> type) {
    return Bodies.read(object(jsonOrEmpty()), type);
  }

  private static JsonNode object(JsonNode body) {
    if (!body.isObject()) {
      throw Problem.invalidInput(
          "body: expected an object, got " + body.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    return body;
  }

  private void refuseOtherThanJson() {
    String type = request.header("Content-Type");
    if (type != null && !isJson(type)) { // many clients send none
      throw Problem.unsupportedMediaType(
          "Content-Type: expected application/json, got '%s'".formatted(type));
    }
  }

  private static boolean isJson(String contentType) {
    int end = contentType.indexOf(';');
    String type =
        (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return type.equals("application/json")
        || (type.startsWith("application/") && type.endsWith("+json"));
  }
}
