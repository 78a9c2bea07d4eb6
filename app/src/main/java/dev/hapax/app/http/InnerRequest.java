package dev.hapax.app.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for a route from inside the server.
 *
 * @param route as it is declared: {@code GET /api/runs/{id}}
 * @param parameters of its path
 * @param headers by name in lower case
 * @param body empty for none
 */
public record InnerRequest(
    String route,
    Map<String, String> parameters,
    Map<String, String> query,
    Map<String, String> headers,
    String body) {
  public static InnerRequest to(Method method, String path) {
    return new InnerRequest(method + " " + path, Map.of(), Map.of(), Map.of(), "");
  }

  /** Returns the same request with a parameter of the path. */
  public InnerRequest path(String name, String value) {
    return new InnerRequest(route, with(parameters, name, value), query, headers, body);
  }

  /** Returns the same request with a query parameter; null leaves it out. */
  public InnerRequest query(String name, @Nullable String value) {
    return value == null
        ? this
        : new InnerRequest(route, parameters, with(query, name, value), headers, body);
  }

  /** Returns the same request with a header; null leaves it out. */
  public InnerRequest header(String name, @Nullable String value) {
    return value == null
        ? this
        : new InnerRequest(
            route, parameters, query, with(headers, name.toLowerCase(Locale.ROOT), value), body);
  }

  /** Returns the same request with a body. */
  public InnerRequest json(JsonNode content) {
    return text(content.toString(), "application/json");
  }

  /** As above, of another content type. */
  public InnerRequest text(String content, String type) {
    return new InnerRequest(route, parameters, query, with(headers, "content-type", type), content);
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    var more = new LinkedHashMap<>(map);
    more.put(name, value);
    return more;
  }

  /** The request as a route reads it. The outer call has bounded its size. */
  record Carried(InnerRequest asked, Call outer) implements Request {
    @Override
    public String path() {
      return outer.path();
    }

    @Override
    public String pathParameter(String name) {
      return asked.parameters().getOrDefault(name, "");
    }

    @Override
    public List<String> queryParameters(String name) {
      String value = asked.query().get(name);
      return value == null ? List.of() : List.of(value);
    }

    @Override
    public List<String> queryNames() {
      return List.copyOf(asked.query().keySet());
    }

    @Override
    public @Nullable String header(String name) {
      return asked.headers().get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public Map<String, List<String>> headers() {
      var all = new LinkedHashMap<String, List<String>>();
      asked.headers().forEach((name, value) -> all.put(name, List.of(value)));
      return all;
    }

    @Override
    public byte[] body() {
      return asked.body().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] bodyToParse() {
      return body();
    }

    @Override
    public void forgetBody() {
      // the outer call has released its memory
    }

    @Override
    public String remoteAddress() {
      return outer.remoteAddress();
    }
  }
}
