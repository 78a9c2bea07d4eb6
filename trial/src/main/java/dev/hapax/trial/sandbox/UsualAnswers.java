package dev.hapax.trial.sandbox;

import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.MadeUp;
import dev.hapax.flows.step.StepGuard;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Completes an answer from what the flow file says about the step. */
final class UsualAnswers {
  private static final String ORIGIN = "sandbox-";

  private final Function<String, @Nullable FlowFile> files;
  private final Function<String, @Nullable Object> inputs;

  /**
   * Creates the answers of flows.
   *
   * @param files by the flow's name; null for one that is no file
   * @param inputs by the run's id; null if it is not known
   */
  UsualAnswers(
      Function<String, @Nullable FlowFile> files, Function<String, @Nullable Object> inputs) {
    this.files = files;
    this.inputs = inputs;
  }

  /** Returns the answer to a request over HTTP. */
  Content http(SandboxRequest request, SandboxAnswer given) {
    FlowStep step = stepOf(request.from());
    if (step != null && step.kind().isWrittenByModel()) {
      return ModelStandIn.answer(request, given, step, sampleOf(request, step));
    }
    Map<?, ?> sample = sampleOf(request, step) instanceof Map<?, ?> map ? map : Map.of();
    int status = statusOf(request, given, sample);
    var headers = new LinkedHashMap<String, String>();
    given.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
    if (given.hasBody()) {
      return new Content(status, headers, given.body());
    }
    if (given.isFailure()) {
      return new Content(status, headers, Map.of());
    }
    if (sample.containsKey("body")) {
      return new Content(status, headers, sample.get("body"));
    }
    return new Content(status, headers, madeUpBody(request, step));
  }

  private static int statusOf(SandboxRequest request, SandboxAnswer given, Map<?, ?> sample) {
    if (given.status() != null) {
      return given.status();
    }
    if (sample.get("status") instanceof Number number) {
      return number.intValue();
    }
    return request.method().equals("POST") && request.from().isEffect() ? 201 : 200;
  }

  /** Many services answer with the object that they have written, and its id. */
  private static @Nullable Object madeUpBody(SandboxRequest request, @Nullable FlowStep step) {
    Object sent = request.from().role() == RequestOrigin.Role.SEND ? sentIn(request) : Map.of();
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("body", sent);
    return madeUp(request, step, output) instanceof Map<?, ?> made ? made.get("body") : sent;
  }

  private static @Nullable Object madeUp(
      SandboxRequest request, @Nullable FlowStep step, @Nullable Object output) {
    EffectContract effect = step == null ? null : step.effect();
    return effect == null || request.from().role() != RequestOrigin.Role.SEND
        ? output
        : MadeUp.output(effect.externalId(), output, ORIGIN, request.from().wireKey());
  }

  private static Object sentIn(SandboxRequest request) {
    String body = request.body();
    if (body == null || request.headers().values().stream().noneMatch("application/json"::equals)) {
      return Map.of();
    }
    try {
      Object sent = Json.read(body, Object.class);
      return sent == null ? Map.of() : sent;
    } catch (NotSerializable e) {
      return Map.of(); // the file says that its text is JSON, and it is not
    }
  }

  /** Returns the value that a step of another kind gets. */
  Content value(SandboxRequest request, SandboxAnswer given, @Nullable Object usual) {
    if (given.hasBody()) {
      return Content.of(given.body());
    }
    FlowStep step = stepOf(request.from());
    Object sample = sampleOf(request, step);
    return Content.of(sample == null ? madeUp(request, step, usual) : sample);
  }

  private @Nullable Object sampleOf(SandboxRequest request, @Nullable FlowStep step) {
    if (step == null || step.sample() == null || request.from().role() == RequestOrigin.Role.UNDO) {
      return null;
    }
    try {
      return step.sample().value(scope(request));
    } catch (ExpressionFailed e) {
      return null; // it reads another step's output, which is not known here
    }
  }

  private Scope scope(SandboxRequest request) {
    var names = new HashMap<String, @Nullable Object>();
    names.put("input", inputs.apply(request.from().run()));
    names.put("steps", Map.of());
    return Scope.of(names);
  }

  /**
   * Returns the answer to a lookup: one for which the flow's own {@code found} says what is true.
   *
   * @param there the answer to the request that was done; null if none was
   */
  Content lookup(SandboxRequest request, @Nullable Content there) {
    FlowStep step = stepOf(request.from());
    StepGuard.Lookup lookup = step == null ? null : lookupOf(request.from(), step);
    Object body = there == null ? null : there.body();
    var answers = new LookupAnswers(lookup, scope(request));
    return there == null ? answers.missing() : answers.found(body);
  }

  private static StepGuard.@Nullable Lookup lookupOf(RequestOrigin from, FlowStep step) {
    FlowStep.Compensate undo = step.compensate();
    boolean isUndo = !from.step().equals(from.stepInFile());
    EffectContract effect = isUndo ? (undo == null ? null : undo.effect()) : step.effect();
    return effect == null ? null : effect.guard().lookup();
  }

  /** Returns the header that carries the key by the step's own guard; null if it names none. */
  @Nullable String keyHeader(RequestOrigin from) {
    FlowStep step = stepOf(from);
    if (step == null) {
      return null;
    }
    boolean isUndo = from.role() == RequestOrigin.Role.UNDO;
    FlowStep.Compensate undo = step.compensate();
    EffectContract effect = isUndo ? (undo == null ? null : undo.effect()) : step.effect();
    return effect == null ? null : effect.guard().keyHeader();
  }

  private @Nullable FlowStep stepOf(RequestOrigin from) {
    FlowFile file = files.apply(from.flow());
    return file == null
        ? null
        : file.allSteps().stream()
            .filter(step -> step.id().equals(from.stepInFile()))
            .findFirst()
            .orElse(null);
  }

  static @Nullable Object valueOf(Template template, Scope scope) {
    try {
      return template.value(scope);
    } catch (ExpressionFailed e) {
      return null;
    }
  }
}
