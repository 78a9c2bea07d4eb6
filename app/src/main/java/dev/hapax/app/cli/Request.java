package dev.hapax.app.cli;

import dev.hapax.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request to a server: {@code Request.get("/api/runs/{}", id).query("limit", 10)}. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Request(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    byte @Nullable [] body) {

  static Request get(String path, String... parts) {
    return new Request("GET", filled(path, parts), Map.of(), Map.of(), null);
  }

  static Request post(String path, String... parts) {
    return new Request("POST", filled(path, parts), Map.of(), Map.of(), null);
  }

  static Request put(String path, String... parts) {
    return new Request("PUT", filled(path, parts), Map.of(), Map.of(), null);
  }

  static Request delete(String path, String... parts) {
    return new Request("DELETE", filled(path, parts), Map.of(), Map.of(), null);
  }

  /** Adds a parameter; null leaves it out. */
  Request query(String name, @Nullable Object value) {
    return new Request(method, path, with(query, name, value), headers, body);
  }

  /** Adds a header; null leaves it out. */
  Request header(String name, @Nullable String value) {
    return new Request(method, path, query, with(headers, name, value), body);
  }

  Request json(Object value) {
    return json(Json.write(value));
  }

  Request json(String text) {
    return body("application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  Request body(String contentType, byte[] content) {
    return new Request(method, path, query, with(headers, "Content-Type", contentType), content);
  }

  /** Returns the path and its query, as they appear in the request. */
  String target() {
    return query.isEmpty()
        ? path
        : query.entrySet().stream()
            .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&", path + "?", ""));
  }

  /** Puts the parts in place of {@code {}}, and of {@code {+}}, where slashes are kept. */
  private static String filled(String path, String... parts) {
    String filled = path;
    for (String part : parts) {
      int one = filled.indexOf("{}");
      filled =
          one >= 0
              ? filled.substring(0, one) + encoded(part) + filled.substring(one + 2)
              : filled.replace("{+}", segments(part));
    }
    return filled;
  }

  private static String segments(String part) {
    return Stream.of(part.split("/", -1)).map(Request::encoded).collect(Collectors.joining("/"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, String> with(
      Map<String, String> map, String name, @Nullable Object value) {
    if (value == null) {
      return map;
    }
    var more = new LinkedHashMap<>(map);
    more.put(name, value.toString());
    return more;
  }
}
