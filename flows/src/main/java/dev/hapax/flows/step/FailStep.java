package dev.hapax.flows.step;

import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fails the run. */
record FailStep(Position position, String code, @Nullable Template message, boolean retryable)
    implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "fail",
          "The run fails here.",
          FailStep::read,
          Shape.of("fail", "fail")
              .must("code", Types.NAME, "A stable code for the failure.")
              .may("message", Types.TEMPLATE, "The message for people.")
              .may(
                  "retryable", new Type.Flag(), "Whether another try could succeed; default false.")
              .build());

  private static FailStep read(StepSource source) {
    Fields fail = source.fields();
    return new FailStep(
        source.position(),
        fail.text("code"),
        fail.templateOrNull("message"),
        fail.flag("retryable"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(message);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    String text =
        Guarded.prepared(step, () -> message == null ? "the flow fails here" : step.text(message));
    throw new StepFailed(code, text, step.id(), step.item(), retryable);
  }

  @Override
  public boolean alwaysFails() {
    return true;
  }

  @Override
  public Look look() {
    return Look.FAIL;
  }

  @Override
  public String description() {
    return "fails with " + code;
  }
}
