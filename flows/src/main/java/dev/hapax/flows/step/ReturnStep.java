package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ends the run early, with an output of its own. */
record ReturnStep(Position position, @Nullable ValueTemplate output) implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "return",
          "The run ends here, with its own output.",
          ReturnStep::read,
          Shape.of("return", "return")
              .may("output", Types.VALUE, "The output of the run, instead of that of the flow.")
              .build());

  private static ReturnStep read(StepSource source) {
    Fields fields = source.fields();
    return new ReturnStep(source.position(), fields.valueOrNull("output"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(output);
  }

  /** Recorded, so that the history shows which step ended the run. */
  @Override
  public @Nullable Object run(StepRun step) {
    Object value =
        step.run()
            .step(
                step.id(),
                () ->
                    Evaluation.<@Nullable Object>recorded(
                        () -> output == null ? null : output.value(step.scope())),
                Object.class);
    throw new StepRun.Returned(value);
  }

  @Override
  public boolean returns() {
    return true;
  }

  @Override
  public boolean canFail() {
    return false;
  }

  @Override
  public Look look() {
    return Look.RETURN;
  }

  @Override
  public String description() {
    return "ends the run";
  }
}
