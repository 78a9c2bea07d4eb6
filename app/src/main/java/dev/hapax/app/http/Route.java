package dev.hapax.app.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the API: its path, its scope and its handler.
 *
 * @param path with parameters in braces; {@code {+name}} also takes slashes, and is the last one
 * @param scope what the caller's token must allow; there is no default, so that none is forgotten
 * @param summary one line for people, in the OpenAPI document
 * @param largestBody how many bytes a request may bring
 * @param docs further content of the OpenAPI document
 * @param subject the flow that a call is about
 * @param metadata where a refused caller reads how to get a token; null: nowhere
 */
public record Route(
    Method method,
    String path,
    TokenScope scope,
    String summary,
    RouteHandler handler,
    int largestBody,
    Docs docs,
    FlowSubject subject,
    @Nullable Supplier<String> metadata) {
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

  /** A route with at most 1 MB in a request. */
  public Route(Method method, String path, TokenScope scope, String summary, RouteHandler handler) {
    this(method, path, scope, summary, handler, MEGABYTE, Docs.NONE, FlowSubject.UNDECLARED, null);
  }

  public static Route get(String path, TokenScope scope, String summary, RouteHandler handler) {
    return new Route(Method.GET, path, scope, summary, handler);
  }

  public static Route post(String path, TokenScope scope, String summary, RouteHandler handler) {
    return new Route(Method.POST, path, scope, summary, handler);
  }

  public static Route put(String path, TokenScope scope, String summary, RouteHandler handler) {
    return new Route(Method.PUT, path, scope, summary, handler);
  }

  public static Route delete(String path, TokenScope scope, String summary, RouteHandler handler) {
    return new Route(Method.DELETE, path, scope, summary, handler);
  }

  /** Returns the same route for requests with at most this many bytes. */
  public Route largestBody(int bytes) {
    return new Route(method, path, scope, summary, handler, bytes, docs, subject, metadata);
  }

  /** Returns the same route, whose calls are about this flow. */
  public Route about(FlowSubject flow) {
    return new Route(method, path, scope, summary, handler, largestBody, docs, flow, metadata);
  }

  /** Returns the same route with another handler. */
  public Route answeredBy(RouteHandler other) {
    return new Route(method, path, scope, summary, other, largestBody, docs, subject, metadata);
  }

  /** Returns the same route, whose 401 names a document of RFC 9728. */
  public Route challenging(Supplier<String> document) {
    return new Route(method, path, scope, summary, handler, largestBody, docs, subject, document);
  }

  /** Returns the same route with one more query parameter. */
  public Route query(String name, String meaning) {
    return with(docs.query(name, meaning));
  }

  /** Returns the same route with the parameters of every list. */
  public Route paged() {
    return query("limit", "The most items of a page, 1 to 200.")
        .query("after", "The value of `next` of the page before.");
  }

  /** Returns the same route, which takes this record as JSON; Object for any JSON. */
  public Route takes(Class<?> type) {
    return with(docs.body(Docs.Content.json(type)));
  }

  /** Returns the same route, which takes another content type than JSON. */
  public Route takes(String contentType) {
    return with(docs.body(new Docs.Content(contentType, String.class, false)));
  }

  /** Returns the same route, which gives this record as JSON; Object for any, Void for nothing. */
  public Route gives(int status, Class<?> type) {
    return with(docs.answer(status, Docs.Content.json(type)));
  }

  /** Returns the same route, which gives one of these records as JSON. */
  public Route gives(int status, Class<?> type, Class<?> or) {
    return with(docs.answer(status, new Docs.Content("application/json", type, false, or)));
  }

  /** Returns the same route, which answers with a page of these. */
  public Route givesPage(Class<?> type) {
    return with(docs.answer(200, new Docs.Content("application/json", type, true))).paged();
  }

  /** Returns the same route, which answers with another content type than JSON. */
  public Route givesText(String contentType) {
    return with(docs.answer(200, new Docs.Content(contentType, String.class, false)));
  }

  private Route with(Docs more) {
    return new Route(method, path, scope, summary, handler, largestBody, more, subject, metadata);
  }

  /** Returns the names of the parameters in its path, in their order. */
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
