package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.StepKind;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends an HTTP request: a read, or an effect by its contract. */
final class HttpStep implements Guarded.Destination {
  private static final int MOST_SHOWN = 300;

  private final StepRun step;
  private final StepKind.Http http;
  private final @Nullable EffectContract contract;

  HttpStep(StepRun step, StepKind.Http http, @Nullable EffectContract contract) {
    this.step = step;
    this.http = http;
    this.contract = contract;
  }

  @Nullable Object run() {
    Duration timeout = step.step().attemptTimeout();
    HttpRequest request = Guarded.prepared(step, this::request);
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(), step.read(http.connection()), () -> read(request, timeout), Object.class);
    }
    var guarded = new Guarded(step, contract);
    return Guarded.prepared(
        step, () -> guarded.send(request, this, (key, stored) -> send(key, stored, timeout)));
  }

  HttpRequest request() {
    Scope scope = step.scope();
    Map<String, String> headers = new LinkedHashMap<>();
    http.headers().members().forEach((name, value) -> headers.put(name, text(value.value(scope))));
    Object body = http.body() == null ? null : http.body().value(scope);
    String content = http.body() == null ? null : body instanceof String text ? text : json(body);
    boolean typed = headers.keySet().stream().anyMatch("content-type"::equalsIgnoreCase);
    if (content != null && !typed) {
      headers.put(
          "Content-Type",
          body instanceof String ? "text/plain; charset=utf-8" : "application/json");
    }
    return new HttpRequest(http.connection(), http.method(), target(scope), headers, content);
  }

  private String target(Scope scope) {
    String start =
        http.url() != null
            ? http.url().text(scope)
            : http.path() == null ? "" : http.path().text(scope);
    var query = new StringBuilder();
    http.query().members().forEach((name, value) -> addParameters(query, name, value, scope));
    if (query.isEmpty()) {
      return start;
    }
    return start + (start.contains("?") ? "&" : "?") + query;
  }

  private static void addParameters(
      StringBuilder query, String name, ValueTemplate template, Scope scope) {
    Object value = template.value(scope);
    Collection<?> values =
        value instanceof Collection<?> many ? many : java.util.Arrays.asList(value);
    for (Object one : values) {
      if (one != null) {
        query
            .append(query.isEmpty() ? "" : "&")
            .append(encoded(name))
            .append('=')
            .append(encoded(text(one)));
      }
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value instanceof String text ? text : json(value);
  }

  private static String json(@Nullable Object value) {
    return value == null ? "null" : Json.write(value);
  }

  @Override
  public @Nullable String connection() {
    return http.connection();
  }

  private Connection.@Nullable Http found() {
    String name = http.connection();
    return name == null ? null : step.services().connection(name, Connection.Http.class);
  }

  // ---- effects

  /** Makes one attempt. */
  @Nullable Object send(String key, HttpRequest stored, Duration timeout) throws Exception {
    Connection.Http connection = found();
    Map<String, String> more = Map.of();
    HttpRequest request = stored;
    boolean isKeyed = contract == null || contract.guard() instanceof GuardBlock.Keyed;
    Idempotency idempotency = connection == null ? Idempotency.USUAL : connection.idempotency();
    if (isKeyed) {
      String header = keyHeader(idempotency);
      if (header != null) {
        more = Map.of(header, key);
      } else if (idempotency.bodyField() != null) {
        request = withField(stored, idempotency.bodyField(), key);
      }
    }
    HttpAnswer answer =
        step.services().http().send(connection, request, more, timeout, new LargeAnswers(step));
    Map<String, @Nullable Object> output = output(answer);
    HttpMeaning.demandDone(
        http.method(),
        answer,
        meanings(connection),
        isKeyed ? idempotency : null,
        shown(output),
        step.services().clock().now());
    return output;
  }

  private @Nullable String keyHeader(Idempotency idempotency) {
    return contract != null
            && contract.guard() instanceof GuardBlock.Keyed keyed
            && keyed.header() != null
        ? keyed.header()
        : idempotency.header();
  }

  /** Puts the key into the body, as some providers require. */
  private static HttpRequest withField(HttpRequest request, String field, String key) {
    Object body = request.body() == null ? Map.of() : Json.read(request.body(), Object.class);
    if (!(body instanceof Map<?, ?> map)) {
      throw new Rejected(
          "bad-body",
          "the provider wants the key in field '%s', and the body is no mapping".formatted(field));
    }
    var keyed = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((name, value) -> keyed.put(String.valueOf(name), value));
    keyed.put(field, key);
    return new HttpRequest(
        request.connection(),
        request.method(),
        request.target(),
        request.headers(),
        Json.write(keyed));
  }

  private StatusMeanings meanings(Connection.@Nullable Http connection) {
    StepKind.Meanings own = http.meanings();
    var ofStep = new StatusMeanings(own.notApplied(), own.alreadyDone(), own.inFlight());
    return connection == null ? ofStep : connection.meanings().and(ofStep);
  }

  @Override
  public Object drafted(String key) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("status", 200);
    output.put("headers", Map.of());
    output.put("body", null);
    return output;
  }

  @Override
  public Duration window() {
    Connection.Http connection = found();
    return connection == null ? Idempotency.USUAL.window() : connection.idempotency().window();
  }

  @Override
  public Optional<?> find(GuardBlock.Lookup lookup) throws Exception {
    var asking = new HttpStep(step, lookup.http(), null);
    HttpAnswer answer =
        step.services()
            .http()
            .send(asking.found(), asking.request(), Map.of(), step.step().attemptTimeout());
    Map<String, @Nullable Object> response = output(answer);
    if (answer.status() != 404 && answer.status() != 410) {
      HttpMeaning.demandRead(
          answer.status(), answer, shown(response), step.services().clock().now());
    }
    Scope scope = step.scope().with("response", response);
    try {
      if (lookup.found() == null || !Boolean.TRUE.equals(truth(lookup.found().value(scope)))) {
        return Optional.empty();
      }
      if (lookup.output() != null) {
        response.put("body", lookup.output().value(scope));
      }
      return Optional.of(response);
    } catch (ExpressionFailed e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static @Nullable Object truth(@Nullable Object value) {
    return value instanceof String text ? (Object) text.equals("true") : value;
  }

  // ---- reads

  private @Nullable Object read(HttpRequest request, Duration timeout) throws Exception {
    if (step.isSampled()) {
      return step.sample(null);
    }
    HttpAnswer answer =
        step.services().http().send(found(), request, Map.of(), timeout, new LargeAnswers(step));
    LargeAnswers.demandKept(answer);
    Map<String, @Nullable Object> output = output(answer);
    HttpMeaning.demandRead(answer.status(), answer, shown(output), step.services().clock().now());
    return output;
  }

  private Map<String, @Nullable Object> output(HttpAnswer answer) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("status", answer.status());
    output.put("headers", step.redacted(answer.headers()));
    output.put("body", answer.kept() != null ? answer.kept() : step.redacted(body(answer)));
    return output;
  }

  /** Returns JSON as a value, text unchanged, anything else in base64. */
  private static @Nullable Object body(HttpAnswer answer) {
    if (answer.body().length == 0) {
      return null;
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(answer.body())).toString();
    } catch (CharacterCodingException e) {
      return Base64.getEncoder().encodeToString(answer.body());
    }
    String type = answer.header("content-type", "").toLowerCase(Locale.ROOT);
    if (type.contains("json")) {
      try {
        return Json.read(text, Object.class);
      } catch (NotSerializable e) {
        return text; // claims to be JSON and is not; the effect was done all the same
      }
    }
    return text;
  }

  private static String shown(Map<String, @Nullable Object> output) {
    String text = text(output.get("body"));
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
