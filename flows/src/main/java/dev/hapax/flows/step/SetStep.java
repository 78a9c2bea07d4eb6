package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values that are computed once. */
record SetStep(Position position, ValueTemplate.Mapping values) implements FlowStepKind {
  static final StepForm FORM =
      StepForm.members(
          "set",
          "Values, computed once.",
          source -> new SetStep(source.position(), source.members()));

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(values);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    return step.run()
        .step(step.id(), () -> Evaluation.recorded(() -> values.value(step.scope())), Object.class);
  }

  @Override
  public boolean onlyReads() {
    return true;
  }

  @Override
  public boolean canFail() {
    return false;
  }

  @Override
  public boolean passesValuesOn() {
    return true;
  }

  /** Its template does. */
  @Override
  public boolean boundsItsOutput() {
    return true;
  }

  @Override
  public String description() {
    return "set " + String.join(", ", values.members().keySet());
  }
}
