package dev.hapax.app.http;

import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The OpenAPI 3.1 document of a list of routes, generated from the routes themselves, so it
 * contains exactly these.
 */
public final class OpenApi {
  private static final String PATH = "/openapi.json";
  private static final String EXAMPLES = "examples.json";

  private final List<Route> routes;
  private final String version;
  private final String base;
  private final Schemas schemas = new Schemas();
  private final JsonNode examples = readExamples();

  private OpenApi(List<Route> routes, String version, String base) {
    this.routes = routes;
    this.version = version;
    this.base = base;
  }

  /**
   * Returns the routes, and one more that answers with their document, made at its first request.
   *
   * @param base the prefix of every path for callers; empty for nothing
   */
  public static List<Route> withDocument(List<Route> routes, String version, String base) {
    List<Route> all = new ArrayList<>(routes);
    var document = new AtomicReference<byte @Nullable []>();
    all.add(
        Route.get(
                PATH,
                TokenScope.PUBLIC,
                "Get this document",
                _ -> {
                  byte[] known = document.get();
                  if (known == null) {
                    known = Bodies.write(new OpenApi(all, version, base).document());
                    document.set(known);
                  }
                  return RouteAnswer.bytes(known, "application/json");
                })
            .gives(200, Object.class));
    return List.copyOf(all);
  }

  /** Reads real answers, by route and status: a test compares them with those of the server. */
  private static JsonNode readExamples() {
    try (InputStream in = OpenApi.class.getResourceAsStream(EXAMPLES)) {
      return Json.tree(in == null ? "{}" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> document() {
    Map<String, Object> paths = new TreeMap<>();
    for (Route route : routes) {
      @SuppressWarnings("unchecked")
      var path =
          (Map<String, Object>)
              paths.computeIfAbsent(pathOf(route), _ -> new LinkedHashMap<String, Object>());
      path.put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put("info", info());
    document.put("servers", List.of(Map.of("url", base.isEmpty() ? "/" : base)));
    document.put("security", List.of(Map.of("token", List.of())));
    document.put("tags", tags());
    document.put("paths", paths);
    document.put("components", components());
    return document;
  }

  private Map<String, Object> info() {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("title", "Hapax");
    info.put("version", version);
    info.put("description", "Durable workflows whose effects happen once.");
    info.put("license", Map.of("name", "Apache-2.0", "identifier", "Apache-2.0"));
    return info;
  }

  private List<Object> tags() {
    var names = new TreeSet<String>();
    routes.forEach(route -> names.add(tagOf(route)));
    return names.stream()
        .<Object>map(name -> Map.of("name", name, "description", "Routes of " + name + "."))
        .toList();
  }

  /** {@code {+key}} is a parameter that may hold slashes, which a document cannot express. */
  static String pathOf(Route route) {
    return route.path().replace("{+", "{");
  }

  private static String tagOf(Route route) {
    String[] parts = route.path().split("/", -1);
    return parts.length > 2 && parts[1].equals("api") ? parts[2] : "server";
  }

  private Map<String, Object> operation(Route route) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("operationId", idOf(route));
    operation.put("summary", route.summary());
    operation.put("description", description(route));
    operation.put("tags", List.of(tagOf(route)));
    operation.put(
        "security",
        route.scope() == TokenScope.PUBLIC
            ? List.of()
            : List.of(Map.of("token", List.of(route.scope().word()))));
    List<Object> parameters = parameters(route);
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    Docs.Content body = route.docs().body();
    if (body != null) {
      Map<String, Object> schema = Map.of("schema", schemas.asked(body.type()));
      operation.put("requestBody", Map.of("content", Map.of(body.contentType(), schema)));
    }
    operation.put("responses", responses(route));
    return operation;
  }

  private static String description(Route route) {
    return switch (route.scope()) {
      case PUBLIC -> route.summary() + ". Needs no token.";
      case ANY -> route.summary() + ". Needs a token, with any scope.";
      default -> route.summary() + ". Needs a token with the scope " + route.scope().word() + ".";
    };
  }

  static String idOf(Route route) {
    var id = new StringBuilder(route.method().name().toLowerCase(Locale.ROOT));
    for (String part : pathOf(route).split("[/.]", -1)) {
      String word = part.replaceAll("[{}]", "");
      if (!word.isEmpty() && !word.equals("api")) {
        id.append(part.startsWith("{") ? "By" : "")
            .append(Character.toUpperCase(word.charAt(0)))
            .append(word.substring(1));
      }
    }
    return id.toString();
  }

  private static List<Object> parameters(Route route) {
    List<Object> parameters = new ArrayList<>();
    for (String name : route.parameters()) {
      parameters.add(parameter("path", name, true, null));
    }
    route
        .docs()
        .query()
        .forEach((name, meaning) -> parameters.add(parameter("query", name, false, meaning)));
    return parameters;
  }

  private static Map<String, Object> parameter(
      String in, String name, boolean isRequired, @Nullable String meaning) {
    Map<String, Object> parameter = new LinkedHashMap<>();
    parameter.put("name", name);
    parameter.put("in", in);
    parameter.put("required", isRequired);
    if (meaning != null) {
      parameter.put("description", meaning);
    }
    parameter.put("schema", Map.of("type", "string"));
    return parameter;
  }

  private Map<String, Object> responses(Route route) {
    Map<String, Object> responses = new TreeMap<>();
    Map<Integer, Docs.Content> answers = route.docs().answers();
    if (answers.isEmpty()) {
      responses.put("200", Map.of("description", route.summary()));
    }
    answers.forEach(
        (status, what) ->
            responses.put(
                status.toString(),
                what.type() == Void.class
                    ? Map.of("description", route.summary())
                    : Map.of(
                        "description",
                        route.summary(),
                        "content",
                        content(what, example(route, status)))));
    responses.put("4XX", Map.of("$ref", "#/components/responses/Problem"));
    responses.put("5XX", Map.of("$ref", "#/components/responses/Problem"));
    return responses;
  }

  private @Nullable JsonNode example(Route route, int status) {
    return examples.get(route + " " + status);
  }

  private Map<String, Object> content(Docs.Content what, @Nullable JsonNode example) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("schema", schema(what));
    if (example != null) {
      boolean isJson = what.contentType().equals("application/json");
      content.put("example", isJson ? example : example.toString() + "\n");
    }
    return Map.of(what.contentType(), content);
  }

  private Object schema(Docs.Content what) {
    Class<?> or = what.or();
    return what.isPage()
        ? schemas.page(what.type())
        : or == null
            ? schemas.of(what.type())
            : Map.of("anyOf", List.of(schemas.of(what.type()), schemas.of(or)));
  }

  private Map<String, Object> components() {
    Map<String, Object> named = new TreeMap<>(schemas.named());
    named.put("Problem", problem());
    return Map.of(
        "schemas",
        named,
        "responses",
        Map.of(
            "Problem",
            Map.of(
                "description",
                "Why the call was refused; the type ends in the problem's name.",
                "content",
                Map.of(
                    "application/problem+json",
                    Map.of("schema", Map.of("$ref", "#/components/schemas/Problem"))))),
        "securitySchemes",
        Map.of("token", Map.of("type", "http", "scheme", "bearer")));
  }

  private static Map<String, Object> problem() {
    Map<String, Object> text = Map.of("type", "string");
    return Map.of(
        "type",
        "object",
        "properties",
        Map.of(
            "type",
            Map.of("type", "string", "format", "uri"),
            "title",
            text,
            "status",
            Map.of("type", "integer"),
            "detail",
            text),
        "required",
        List.of("type", "title", "status", "detail"));
  }
}
