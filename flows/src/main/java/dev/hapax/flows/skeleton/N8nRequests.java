package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import dev.hapax.flows.connection.WireHeaders;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes a step from a node "HTTP Request". */
final class N8nRequests {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

  private final N8nNode node;
  private final N8nExpressions expressions;
  private final N8nNotes notes;
  private final List<String> left = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();

  N8nRequests(N8nNode node, N8nExpressions expressions, N8nNotes notes) {
    this.node = node;
    this.expressions = expressions;
    this.notes = notes;
  }

  SkeletonStep step(String id) {
    String given = node.text("method").isEmpty() ? node.text("requestMethod") : node.text("method");
    String method = given.isEmpty() ? "GET" : given.toUpperCase(Locale.ROOT);
    if (!METHODS.contains(method)) {
      return SkeletonStep.todo(id, "replace the request with method " + N8nNotes.place(method));
    }
    Map<String, Object> http = address(id);
    if (!method.equals("GET")) {
      http.put("method", method);
    }
    putIfAny(http, "query", pairs("sendQuery", "queryParameters"));
    putIfAny(http, "headers", pairs("sendHeaders", "headerParameters"));
    Object body = body();
    if (body != null) {
      http.put("body", body);
    }
    var step = new SkeletonStep(id).with("http", inOrder(http));
    if (!method.equals("GET") && !method.equals("HEAD")) {
      boolean isUpsert = method.equals("PUT") || method.equals("DELETE");
      step.effect(isUpsert ? "update" : "create", isUpsert ? "upsert" : "none", expressions.unit());
      notes.add(
          node,
          id,
          "guard",
          "%s changes something, and n8n does not say what makes a repeat safe".formatted(method),
          "Set the effect's key to the id of the unit of work, and its guard to what is true of the"
              + " destination: keyed, upsert, lookup or none.");
    }
    tell(id);
    return step;
  }

  private static Map<String, Object> inOrder(Map<String, Object> http) {
    var ordered = new LinkedHashMap<String, Object>();
    for (String key : List.of("connection", "url", "method", "path", "query", "headers", "body")) {
      Object value = http.get(key);
      if (value != null) {
        ordered.put(key, value);
      }
    }
    return ordered;
  }

  /** A request with a credential needs a connection, because a flow has no place for one. */
  private Map<String, Object> address(String id) {
    String url = node.text("url");
    String auth = node.text("authentication");
    boolean isOpen = (auth.isEmpty() || auth.equals("none")) && !node.json().has("credentials");
    if (isOpen || url.startsWith("=")) {
      return ordered("url", withoutSecrets(expressions.text(url, left)));
    }
    try {
      URI uri = new URI(Sensitive.address(url));
      if (uri.getHost() != null) {
        String connection = SkeletonNames.slug(uri.getHost(), "service");
        notes.add(
            node,
            id,
            "connection",
            "the request uses a credential of n8n, which was not copied",
            "Write connection '%s' with base '%s://%s' and auth (hapax connections put), and its secret (hapax secrets put)."
                .formatted(connection, uri.getScheme(), uri.getRawAuthority()));
        String path =
            uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return ordered("connection", connection, "path", SkeletonYaml.literal(path + query(uri)));
      }
    } catch (URISyntaxException e) {
      // falls through: the address is kept as it is
    }
    return ordered("url", withoutSecrets(SkeletonYaml.literal(Sensitive.address(url))));
  }

  private String query(URI uri) {
    return uri.getRawQuery() == null ? "" : withoutSecrets("?" + uri.getRawQuery());
  }

  private String withoutSecrets(String url) {
    int at = url.indexOf('?');
    if (at < 0) {
      return url;
    }
    var kept = new ArrayList<String>();
    for (String pair : url.substring(at + 1).split("&", -1)) {
      String name = pair.split("=", 2)[0];
      if (Sensitive.isName(name)) {
        dropped.add(name);
      } else {
        kept.add(pair);
      }
    }
    return url.substring(0, at) + (kept.isEmpty() ? "" : "?" + String.join("&", kept));
  }

  private Map<String, Object> pairs(String flag, String parameter) {
    var pairs = new LinkedHashMap<String, Object>();
    boolean isOff = node.parameters().has(flag) && !node.parameters().path(flag).asBoolean(false);
    if (isOff) {
      return pairs;
    }
    for (JsonNode pair : node.parameters().path(parameter).path("parameters")) {
      String name = N8nNotes.place(pair.path("name").asString(""));
      if (Sensitive.isName(name)) {
        dropped.add(name);
      } else if (!name.isEmpty() && !WireHeaders.contains(name)) {
        pairs.put(name, expressions.text(pair.path("value").asString(""), left));
      }
    }
    return pairs;
  }

  private @Nullable Object body() {
    if (!node.parameters().path("sendBody").asBoolean(false)) {
      return null;
    }
    if (node.text("specifyBody").equals("json")) {
      String json = node.text("jsonBody");
      try {
        N8nExpressions.Translated body = expressions.value(Json.tree(json));
        left.addAll(body.left());
        return body.value();
      } catch (NotSerializable e) {
        left.add("body: " + json);
        return "TODO";
      }
    }
    Map<String, Object> pairs = pairs("sendBody", "bodyParameters");
    return pairs.isEmpty() ? null : pairs;
  }

  private static void putIfAny(Map<String, Object> http, String key, Map<String, Object> pairs) {
    if (!pairs.isEmpty()) {
      http.put(key, pairs);
    }
  }

  private void tell(String id) {
    notes.expressions(node, id, left);
    if (!dropped.isEmpty()) {
      notes.add(
          node,
          id,
          "credential",
          "%s may hold a credential and was left out"
              .formatted(N8nNotes.place(String.join(", ", dropped))),
          "Store it with 'hapax secrets put', and name it in auth of a connection.");
    }
  }
}
