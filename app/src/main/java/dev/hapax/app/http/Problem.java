package dev.hapax.app.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a refusal, as the caller gets it: RFC 9457, with the names of the public contract.
 * The detail says what was expected, what was found and what to do next, and never a secret.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The prefix of a problem's name; a type never changes once it was published. */
  public static final String TYPES = "https://hapax.dev/problems/";

  private final String name;
  private final int status;
  private final transient Map<String, Object> members;
  private final transient Map<String, String> headers;

  private Problem(
      String name,
      int status,
      String detail,
      Map<String, Object> members,
      Map<String, String> headers) {
    super(detail, null, false, false); // the caller's mistake: its stack is of no use
    this.name = name;
    this.status = status;
    this.members = members;
    this.headers = headers;
  }

  /** A problem of this name; the names of the public contract have their own methods below. */
  public static Problem of(String name, int status, String detail) {
    return new Problem(name, status, detail, Map.of(), Map.of());
  }

  public static Problem invalidInput(String detail) {
    return of("invalid-input", 400, detail);
  }

  public static Problem keyMismatch(String detail) {
    return of("key-mismatch", 400, detail);
  }

  public static Problem unauthorized(String detail) {
    return of("unauthorized", 401, detail).header("WWW-Authenticate", "Bearer");
  }

  public static Problem forbidden(String detail) {
    return of("forbidden", 403, detail);
  }

  public static Problem notFound(String detail) {
    return of("not-found", 404, detail);
  }

  public static Problem keyReused(String detail) {
    return of("key-reused", 409, detail);
  }

  /** The target was changed meanwhile. */
  public static Problem stale(String detail) {
    return of("stale", 409, detail);
  }

  /** Not possible in this state; the detail says what to do instead. */
  public static Problem notPossible(String detail) {
    return of("not-possible", 409, detail);
  }

  public static Problem keyExpired(String detail) {
    return of("key-expired", 410, detail);
  }

  public static Problem tooLarge(String detail) {
    return of("too-large", 413, detail);
  }

  public static Problem unsupportedMediaType(String detail) {
    return of("unsupported-media-type", 415, detail);
  }

  /** A flow file that cannot be used, with its findings. */
  public static Problem findings(String detail, Object findings) {
    return of("findings", 422, detail).with("findings", findings);
  }

  public static Problem concurrencyLimit(String detail) {
    return of("concurrency-limit", 429, detail).header("Retry-After", "1");
  }

  public static Problem rateLimited(String detail, long retryAfterSeconds) {
    return of("rate-limited", 429, detail)
        .header("Retry-After", Long.toString(Math.max(1, retryAfterSeconds)));
  }

  /** The tenant has used up a quota; the detail says what to do. */
  public static Problem quotaExceeded(
      String quota, long limit, @Nullable Duration retryAfter, String detail) {
    Problem problem = of("quota-exceeded", 429, detail).with("quota", quota).with("limit", limit);
    return retryAfter == null
        ? problem
        : problem.header("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }

  public static Problem unavailable(String detail) {
    return of("unavailable", 503, detail).header("Retry-After", "1");
  }

  /** The store was restored, and a person has not declared it yet. */
  public static Problem restored(String detail) {
    return of("restored", 503, detail);
  }

  /** Returns the same problem with one more member in its body. */
  public Problem with(String member, Object value) {
    var more = new LinkedHashMap<>(members);
    more.put(member, value);
    return new Problem(name, status, detail(), more, headers);
  }

  /** Returns the same problem with one more header in its answer. */
  public Problem header(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Problem(name, status, detail(), members, more);
  }

  public String name() {
    return name;
  }

  public int status() {
    return status;
  }

  public String detail() {
    String detail = getMessage();
    return detail == null ? "" : detail;
  }

  /** Returns the body, in the order in which people read it. */
  public Map<String, Object> body() {
    var body = new LinkedHashMap<String, Object>();
    body.put("type", TYPES + name);
    body.put("title", title());
    body.put("status", status);
    body.put("detail", detail());
    body.putAll(members);
    return body;
  }

  private String title() {
    String words = name.replace('-', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  public RouteAnswer answer() {
    var answer =
        new RouteAnswer(
            status,
            new RouteAnswer.Bytes(Bodies.write(body()), "application/problem+json"),
            Map.of());
    for (Map.Entry<String, String> header : headers.entrySet()) {
      answer = answer.header(header.getKey(), header.getValue());
    }
    return answer;
  }

  /** Returns a member of the body; null if there is none. */
  public @Nullable Object member(String member) {
    return members.get(member);
  }
}
