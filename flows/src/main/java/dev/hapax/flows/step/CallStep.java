package dev.hapax.flows.step;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a handler in Java. */
record CallStep(Position position, String handler, @Nullable ValueTemplate input, boolean pure)
    implements SendingStep {
  static final StepForm FORM =
      StepForm.mapping(
              "call",
              "A handler in Java.",
              CallStep::read,
              Shape.of("call", "call")
                  .must("handler", Types.NAME, "The name of the handler, registered in Java.")
                  .may("input", Types.VALUE, "The input of the handler.")
                  .may(
                      "pure",
                      new Type.Flag(),
                      "True if the handler changes nothing outside; it then needs no effect.")
                  .build())
          .orCompensation("A handler in Java.");

  private static CallStep read(StepSource source) {
    Fields call = source.fields();
    return new CallStep(
        source.position(), call.text("handler"), call.valueOrNull("input"), call.flag("pure"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(input);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    EffectContract contract = step.step().effect();
    Map<String, @Nullable Object> request = Guarded.prepared(step, () -> content(step));
    if (contract == null || Guarded.isRead(contract)) {
      return step.run()
          .read(
              step.id(),
              step.read(null),
              () ->
                  step.isSampled()
                      ? step.sample(null)
                      : step.redacted(plain(found(step).handle(request.get("input"), ""))),
              Object.class);
    }
    return Guarded.prepared(
        step,
        () ->
            new Guarded(step, contract)
                .send(
                    this,
                    request,
                    (key, stored) ->
                        step.redacted(plain(found(step).handle(stored.get("input"), key)))));
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    return key -> {
      var _ = found(step).handle(content(step).get("input"), key);
    };
  }

  private Map<String, @Nullable Object> content(StepRun step) {
    var content = new HashMap<String, @Nullable Object>();
    content.put("handler", handler);
    content.put("input", input == null ? null : input.value(step.scope()));
    return content;
  }

  private Handler found(StepRun step) {
    Handler found = step.services().handlers().apply(handler);
    if (found == null) {
      throw new NotApplied(
          "there is no handler '%s': register it, and the step continues".formatted(handler));
    }
    return found;
  }

  /** Converts a value to maps, lists and scalars, which can be redacted and read by expressions. */
  private static @Nullable Object plain(@Nullable Object value) {
    return value == null ? null : Json.read(Json.write(value), Object.class);
  }

  @Override
  public @Nullable String connection() {
    return null;
  }

  @Override
  public boolean writes() {
    return !pure;
  }

  /** A pure handler computes its output from its input. */
  @Override
  public Follows follows() {
    return pure ? Follows.SURELY : Follows.NOT;
  }

  @Override
  public Duration keyWindow(StepRun step) {
    return Duration.ofHours(24);
  }

  @Override
  public String target() {
    return handler;
  }

  @Override
  public String insteadOfEffect() {
    return " If the handler changes nothing outside, add pure: true.";
  }

  @Override
  public String description() {
    return "call " + handler;
  }
}
