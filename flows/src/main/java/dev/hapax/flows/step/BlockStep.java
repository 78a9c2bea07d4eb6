package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The steps that a loop runs for each item, one after another. It has no word of its own. */
record BlockStep(Position position, List<FlowStep> steps) implements FlowStepKind {
  static final String FOR_EACH = "forEach";
  static final String STEPS = "steps";

  @Override
  public String word() {
    return FOR_EACH;
  }

  @Override
  public Stream<Template> templates() {
    return Stream.empty();
  }

  @Override
  public List<Branch> branches() {
    return List.of(new Branch(position, STEPS, null, steps));
  }

  @Override
  public boolean isBlock() {
    return true;
  }

  /** Returns the output of the last step. */
  @Override
  public @Nullable Object run(StepRun step) throws Exception {
    return step.inner().inOrder(steps);
  }

  @Override
  public String description() {
    return steps.size() == 1 ? "1 step" : steps.size() + " steps";
  }
}
