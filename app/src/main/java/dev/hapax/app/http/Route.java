package dev.hapax.app.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call of the API: what it is called by, who may call it, and what answers.
 *
 * @param path with parameters in braces; {@code {+name}} also takes slashes, and is the last one
 * @param scope what the caller's token must allow; there is no default, so that none is forgotten
 * @param summary one line for people, in the OpenAPI document
 * @param largestBody how many bytes a request may bring
 */
public record Route(
    Method method, String path, Scope scope, String summary, Handler handler, int largestBody) {
  private static final int MEGABYTE = 1 << 20;
  private static final Pattern PATH =
      Pattern.compile("/|(?:/(?:[a-z0-9._-]+|\\{[a-zA-Z]+}))*(?:/\\{\\+[a-zA-Z]+})?");
  private static final Pattern PARAMETER = Pattern.compile("\\{\\+?([a-zA-Z]+)}");

  public Route {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(scope, () -> "the route %s %s has no scope".formatted(method, path));
    Objects.requireNonNull(handler, "handler");
    if (path.isEmpty() || !PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "path: expected '/words/{parameter}/…', got '%s'".formatted(path));
    }
    if (summary.isBlank()) {
      throw new IllegalArgumentException(
          "summary of %s %s: expected words".formatted(method, path));
    }
  }

  /** With at most 1 MB in a request. */
  public Route(Method method, String path, Scope scope, String summary, Handler handler) {
    this(method, path, scope, summary, handler, MEGABYTE);
  }

  public static Route get(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.GET, path, scope, summary, handler);
  }

  public static Route post(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.POST, path, scope, summary, handler);
  }

  public static Route put(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.PUT, path, scope, summary, handler);
  }

  public static Route delete(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.DELETE, path, scope, summary, handler);
  }

  /** The same route for requests with at most this many bytes. */
  public Route largestBody(int bytes) {
    return new Route(method, path, scope, summary, handler, bytes);
  }

  /** The names of the parameters in its path, in their order. */
  public List<String> parameters() {
    List<String> names = new ArrayList<>();
    Matcher parameter = PARAMETER.matcher(path);
    while (parameter.find()) {
      names.add(parameter.group(1));
    }
    return names;
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
