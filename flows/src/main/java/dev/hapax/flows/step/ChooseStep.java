package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first branch whose condition holds.
 *
 * @param branches each named by the text of its condition, because the file gives no names
 */
record ChooseStep(Position position, List<Branch> branches) implements FlowStepKind {
  private static final String OTHERWISE = "otherwise";

  static final StepForm FORM =
      StepForm.list(
          "choose",
          "The first branch whose condition is true.",
          ChooseStep::read,
          Shape.of("choice", "a choice")
              .either("when", new Type.Condition(Place.STEP), "The branch runs if this is true.")
              .either(
                  OTHERWISE,
                  new Type.ListOf(FlowStep.SHAPE),
                  "The branch that runs if no condition is true.")
              .may("steps", new Type.ListOf(FlowStep.SHAPE), "The steps of a branch with `when`.")
              .build());

  private static ChooseStep read(StepSource source) {
    List<Branch> branches = source.list().stream().map(choice -> branch(source, choice)).toList();
    return new ChooseStep(source.position(), branches);
  }

  private static Branch branch(StepSource source, Fields choice) {
    if (choice.has(OTHERWISE)) {
      if (choice.has("steps")) {
        source.problem(
            FileProblem.SCHEMA,
            choice.position("steps"),
            "a choice with otherwise cannot have steps as well",
            "Put them under otherwise.");
      }
      return new Branch(choice.position(), OTHERWISE, null, source.steps(choice.list(OTHERWISE)));
    }
    if (!choice.has("steps")) {
      source.problem(
          FileProblem.SCHEMA, choice.position(), "a choice with when needs steps", "Add steps.");
    }
    Template when = choice.template("when");
    return new Branch(choice.position(), when.source(), when, source.steps(choice.list("steps")));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return branches.stream().map(Branch::when).filter(Objects::nonNull);
  }

  @Override
  public @Nullable Object run(StepRun step) throws Exception {
    // Recorded, so that the history shows which branch ran, even if the moment changes.
    String taken =
        step.run().branch(step.id(), () -> Evaluation.recorded(() -> nameOfTaken(step.scope())));
    for (Branch branch : branches) {
      if (branch.name().equals(taken)) { // of two equal conditions, the first was meant
        return step.inner().inOrder(branch.steps());
      }
    }
    return null;
  }

  private String nameOfTaken(Scope scope) {
    for (Branch branch : branches) {
      Template when = branch.when();
      if (when == null || Evaluation.holds(when, scope)) {
        return branch.name();
      }
    }
    return "none";
  }

  @Override
  public boolean takesOneBranch() {
    return true;
  }

  @Override
  public Look look() {
    return Look.BRANCHES;
  }

  @Override
  public String description() {
    return "the first that holds";
  }
}
