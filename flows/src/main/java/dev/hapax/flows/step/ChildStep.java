package dev.hapax.flows.step;

import dev.hapax.flow.Flow;
import dev.hapax.flow.OnFailed;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Another flow as a child run. */
record ChildStep(
    Position position,
    String childFlow,
    @Nullable ValueTemplate input,
    @Nullable Template key,
    boolean detach,
    OnFailed onFailed)
    implements FlowStepKind {
  private static final String ON_FAILED = "onFailed";

  static final StepForm FORM =
      StepForm.mapping(
          "flow",
          "Another flow as a child run.",
          ChildStep::read,
          Shape.of("child", "flow")
              .must("name", Types.NAME, "The name of the flow.")
              .may("input", Types.VALUE, "The input of the child run.")
              .may("key", Types.TEMPLATE, "The key of the child run, if its flow computes none.")
              .may(
                  "detach",
                  new Type.Flag(),
                  "Whether the run only starts the other one and goes on; default false.")
              .may(
                  ON_FAILED,
                  Types.words("fail", "retry"),
                  "What to do if the run with this key has failed already; default `fail`.")
              .build());

  private static ChildStep read(StepSource source) {
    Fields child = source.fields();
    if (child.flag("detach") && child.has(ON_FAILED)) {
      source.problem(
          FileProblem.SCHEMA,
          child.position(ON_FAILED),
          "a flow with detach is not awaited, so it cannot have onFailed",
          "Remove one of them.");
    }
    return new ChildStep(
        source.position(),
        child.text("name"),
        child.valueOrNull("input"),
        child.templateOrNull("key"),
        child.flag("detach"),
        child.word(OnFailed.class, ON_FAILED, OnFailed.FAIL));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(input, key);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    Flow<?, ?> flow = step.services().flows().apply(childFlow);
    if (flow == null && step.isDraft()) { // a flow in Java would send
      return step.run().step(step.id(), () -> step.sample(null), Object.class);
    }
    if (flow == null) {
      throw step.failed(
          "unknown-flow",
          "there is no flow '%s' here. Load or register it, then retry the run."
              .formatted(childFlow));
    }
    Object given =
        Guarded.<@Nullable Object>prepared(
            step, () -> input == null ? null : input.value(step.scope()));
    String own =
        Guarded.<@Nullable String>prepared(step, () -> key == null ? null : step.text(key));
    if (detach) {
      return Map.of("run", start(step, flow, own, given));
    }
    Object output = call(step, flow, own, given);
    return output == null ? null : Json.read(Json.write(output), Object.class);
  }

  private <I, O> @Nullable O call(
      StepRun step, Flow<I, O> flow, @Nullable String key, @Nullable Object input) {
    return step.run().call(step.id(), flow, key, typed(flow, input), onFailed);
  }

  /** The other run has a slot and an end of its own. */
  private static <I> String start(
      StepRun step, Flow<I, ?> flow, @Nullable String key, @Nullable Object input) {
    I typed = typed(flow, input);
    return key == null
        ? step.run().spawn(step.id(), flow, typed)
        : step.run().spawn(step.id(), flow, key, typed);
  }

  private static <I> I typed(Flow<I, ?> flow, @Nullable Object input) {
    return Json.read(input == null ? "{}" : Json.write(input), flow.input());
  }

  @Override
  public @Nullable Key childKey() {
    return key == null ? null : new Key(key, "the key of child '%s'".formatted(childFlow));
  }

  @Override
  public Look look() {
    return Look.CHILD;
  }

  @Override
  public String description() {
    return "flow " + childFlow + (detach ? ", not awaited" : "");
  }
}
