package dev.hapax.app.cli.connection;

import dev.hapax.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request to a server: {@code ServerRequest.get("/api/runs/{}", id).query("limit", 10)}. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ServerRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    byte @Nullable [] body) {

  public static ServerRequest get(String path, String... parts) {
    return new ServerRequest("GET", filled(path, parts), Map.of(), Map.of(), null);
  }

  public static ServerRequest post(String path, String... parts) {
    return new ServerRequest("POST", filled(path, parts), Map.of(), Map.of(), null);
  }

  public static ServerRequest put(String path, String... parts) {
    return new ServerRequest("PUT", filled(path, parts), Map.of(), Map.of(), null);
  }

  public static ServerRequest delete(String path, String... parts) {
    return new ServerRequest("DELETE", filled(path, parts), Map.of(), Map.of(), null);
  }

  /** Adds a parameter; null leaves it out. */
  public ServerRequest query(String name, @Nullable Object value) {
    return new ServerRequest(method, path, with(query, name, value), headers, body);
  }

  /** Adds a header; null leaves it out. */
  public ServerRequest header(String name, @Nullable String value) {
    return new ServerRequest(method, path, query, with(headers, name, value), body);
  }

  public ServerRequest json(Object value) {
    return json(Json.write(value));
  }

  public ServerRequest json(String text) {
    return body("application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  public ServerRequest body(String contentType, byte[] content) {
    return new ServerRequest(
        method, path, query, with(headers, "Content-Type", contentType), content);
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
    return Stream.of(part.split("/", -1))
        .map(ServerRequest::encoded)
        .collect(Collectors.joining("/"));
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
