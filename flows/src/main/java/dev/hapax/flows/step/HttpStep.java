package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An HTTP request: a read, or an effect by its contract. */
record HttpStep(HttpTemplate http) implements SendingStep {
  static final StepForm FORM =
      StepForm.mapping(
              HttpTemplate.WORD,
              "An HTTP request.",
              source -> new HttpStep(HttpTemplate.read(source.position(), source.fields())),
              HttpTemplate.SHAPE)
          .orCompensation("A request.");

  @Override
  public Position position() {
    return http.position();
  }

  @Override
  public @Nullable String connection() {
    return http.connection();
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.HTTP;
  }

  @Override
  public Stream<Template> templates() {
    return http.templates();
  }

  @Override
  public @Nullable Object run(StepRun step) {
    EffectContract contract = step.step().effect();
    var sending = new HttpSending(step, http, contract);
    Duration timeout = step.step().attemptTimeout();
    HttpRequest request = Guarded.prepared(step, sending::request);
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(),
              step.read(http.connection()),
              () -> sending.read(request, timeout),
              Object.class);
    }
    var guarded = new Guarded(step, contract);
    return Guarded.prepared(
        step,
        () -> guarded.send(this, request, (key, stored) -> sending.send(key, stored, timeout)));
  }

  @Override
  public Object drafted(String key, Object request) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put(
        "status",
        switch (http.method()) {
          case "POST" -> 201;
          case "DELETE" -> 204;
          default -> 200;
        });
    output.put("headers", Map.of());
    output.put("body", request instanceof HttpRequest sent ? echoed(sent) : null);
    return output;
  }

  /** Many services answer with the object that they have written. */
  private static @Nullable Object echoed(HttpRequest request) {
    if (request.body() == null
        || !"application/json".equals(request.headers().get("Content-Type"))) {
      return null;
    }
    try {
      return Json.read(request.body(), Object.class);
    } catch (NotSerializable e) {
      return null; // the file says that its text is JSON, and it is not
    }
  }

  @Override
  public Duration keyWindow(StepRun step) {
    Connection.Http connection = http.connection(step.services());
    return connection == null ? Idempotency.USUAL.window() : connection.idempotency().window();
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    var sending = new HttpSending(step, http, compensate.effect());
    return key -> sending.send(key, sending.request(), compensate.attemptTimeout());
  }

  @Override
  public boolean writes() {
    return !http.method().equals("GET") && !http.method().equals("HEAD");
  }

  @Override
  public boolean isIdempotent() {
    return http.method().equals("PUT") || http.method().equals("DELETE");
  }

  @Override
  public String request() {
    return word() + " " + http.method();
  }

  @Override
  public @Nullable String target() {
    Template place = http.path() == null ? http.url() : http.path();
    return place == null ? null : place.source();
  }

  /** A body that is too large for a value is a resource. */
  @Override
  public boolean boundsItsOutput() {
    return true;
  }

  @Override
  public String description() {
    Template url = http.url();
    Template path = http.path();
    String place =
        url != null ? url.plain() : http.connection() + (path == null ? "" : " " + path.plain());
    return http.method() + " " + place;
  }
}
