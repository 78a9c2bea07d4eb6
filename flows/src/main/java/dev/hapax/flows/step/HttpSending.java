package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.ValueBudget;
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

/** Sends the request of a step, a compensation or a lookup. */
final class HttpSending {
  private static final int MOST_SHOWN = 300;

  /** A byte takes three characters in an address. */
  private static final int ENCODED = 3;

  private final StepRun step;
  private final HttpTemplate http;
  private final @Nullable EffectContract contract;

  HttpSending(StepRun step, HttpTemplate http, @Nullable EffectContract contract) {
    this.step = step;
    this.http = http;
    this.contract = contract;
  }

  HttpRequest request() {
    Scope scope = step.scope().asOneValue();
    Map<String, String> headers = new LinkedHashMap<>();
    http.headers().members().forEach((name, value) -> headers.put(name, text(value.value(scope))));
    Object body = http.body() == null ? null : http.body().value(scope);
    String content = http.body() == null ? null : content(body, headers);
    boolean typed = headers.keySet().stream().anyMatch("content-type"::equalsIgnoreCase);
    if (content != null && !typed) {
      headers.put(
          "Content-Type",
          body instanceof String ? "text/plain; charset=utf-8" : "application/json");
    }
    return new HttpRequest(http.connection(), http.method(), target(scope), headers, content);
  }

  private static String content(@Nullable Object body, Map<String, String> headers) {
    if (body instanceof Map<?, ?> fields && FormBody.isWanted(headers)) {
      return FormBody.of(fields);
    }
    return body instanceof String text ? text : json(body);
  }

  private String target(Scope scope) {
    String start = start(scope);
    var query = new StringBuilder();
    var room = new ValueBudget(ENCODED * (long) step.services().valueBytes());
    http.query().members().forEach((name, value) -> addParameters(query, name, value, scope, room));
    if (query.isEmpty()) {
      return start;
    }
    return start + (start.contains("?") ? "&" : "?") + query;
  }

  private String start(Scope scope) {
    Template url = http.url();
    Template path = http.path();
    boolean encodes = step.services().format() != FlowFormat.RAW_PATHS;
    if (url != null) {
      return encodes ? RequestAddress.whole(url, scope) : url.text(scope);
    }
    if (path == null) {
      return "";
    }
    return encodes ? RequestAddress.path(path, scope) : path.text(scope);
  }

  private static void addParameters(
      StringBuilder query, String name, ValueTemplate template, Scope scope, ValueBudget room) {
    Object value = template.value(scope);
    Collection<?> values =
        value instanceof Collection<?> many ? many : java.util.Arrays.asList(value);
    String start = RequestAddress.encoded(name) + "=";
    for (Object one : values) {
      if (one != null) {
        String content = RequestAddress.encoded(text(one));
        room.take((long) start.length() + content.length() + 1);
        query.append(query.isEmpty() ? "" : "&").append(start).append(content);
      }
    }
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value instanceof String text ? text : json(value);
  }

  private static String json(@Nullable Object value) {
    return value == null ? "null" : Json.write(value);
  }

  // ---- effects

  /** Makes one attempt. */
  @Nullable Object send(String key, HttpRequest stored, Duration timeout) throws Exception {
    Connection.Http connection = http.connection(step.services());
    Map<String, String> more = Map.of();
    HttpRequest request = stored;
    Idempotency idempotency = connection == null ? Idempotency.USUAL : connection.idempotency();
    refuseWithoutKeys(idempotency);
    boolean isKeyed = contract == null ? idempotency.takesKeys() : contract.guard().sendsKey();
    if (isKeyed) {
      String header = keyHeader(idempotency);
      if (header != null) {
        more = Map.of(header, key);
      } else if (idempotency.bodyField() != null) {
        request = KeyField.put(stored, idempotency.bodyField(), key);
      }
    }
    HttpAnswer answer =
        step.services().wayOut().http(connection, request, more, timeout, new LargeAnswers(step));
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

  /** A key that the destination ignores would settle every doubt by a duplicate. */
  private void refuseWithoutKeys(Idempotency idempotency) {
    if (contract != null
        && contract.guard().sendsKey()
        && contract.guard().keyHeader() == null
        && !idempotency.takesKeys()) {
      throw new Rejected(
          "no-keys",
          "guard keyed needs a destination that removes duplicates by a key, and connection '%s' says that this one takes none: nothing was sent. Use guard lookup, upsert or none."
              .formatted(http.connection()));
    }
  }

  private @Nullable String keyHeader(Idempotency idempotency) {
    String own = contract == null ? null : contract.guard().keyHeader();
    return own == null ? idempotency.header() : own;
  }

  private StatusMeanings meanings(Connection.@Nullable Http connection) {
    return connection == null ? http.meanings() : connection.meanings().and(http.meanings());
  }

  /** Asks whether the effect happened; returns its output if it did. */
  static Optional<?> find(StepRun outer, StepGuard.Lookup lookup) throws Exception {
    StepRun step = knowingEffect(outer, lookup);
    var asking = new HttpSending(step, lookup.http(), null);
    HttpAnswer answer =
        step.services()
            .wayOut()
            .http(
                lookup.http().connection(step.services()),
                asking.request(),
                Map.of(),
                step.step().attemptTimeout(),
                null);
    Map<String, @Nullable Object> response = asking.output(answer);
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

  /** Only a reconciliation brings the effect along; it has no run that could compute the key. */
  private static StepRun knowingEffect(StepRun step, StepGuard.Lookup lookup) {
    EffectContract effect = step.step().effect();
    boolean isAsked =
        effect != null
            && step.scope().value("effect") == null
            && lookup.templates().anyMatch(text -> text.reach().reaches("effect"));
    return isAsked && effect != null
        ? step.with(step.scope().with("effect", Map.of("key", step.text(effect.key()))))
        : step;
  }

  private static @Nullable Object truth(@Nullable Object value) {
    return value instanceof String text ? (Object) text.equals("true") : value;
  }

  // ---- reads

  /** Reads a page of a list; an answer that is too large for memory fails. */
  Map<String, @Nullable Object> list(Duration timeout) throws Exception {
    HttpAnswer answer =
        step.services()
            .wayOut()
            .http(http.connection(step.services()), request(), Map.of(), timeout, null);
    Map<String, @Nullable Object> output = output(answer);
    HttpMeaning.demandRead(answer.status(), answer, shown(output), step.services().clock().now());
    return output;
  }

  @Nullable Object read(HttpRequest request, Duration timeout) throws Exception {
    if (step.isSampled()) {
      return step.sample(null);
    }
    HttpAnswer answer =
        step.services()
            .wayOut()
            .http(
                http.connection(step.services()),
                request,
                Map.of(),
                timeout,
                new LargeAnswers(step));
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
        return AnswerRoom.read(text);
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
