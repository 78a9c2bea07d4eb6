package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps that are repeated until a condition holds, or while it holds.
 *
 * @param until checked after each round; null if the file gives {@code while}
 * @param whilst checked before each round; null if the file gives {@code until}
 */
record RepeatStep(
    Position position,
    @Nullable Template until,
    @Nullable Template whilst,
    List<FlowStep> steps,
    int maxRounds)
    implements FlowStepKind {
  private static final int USUAL_ROUNDS = 100;

  static final StepForm FORM =
      StepForm.mapping(
          "repeat",
          "Steps that are repeated, one round after another.",
          RepeatStep::read,
          Shape.of("repeat", "repeat")
              .either(
                  "until",
                  new Type.Condition(Place.STEP),
                  "Evaluated after each round: no other round follows if it is true.")
              .either(
                  "while",
                  new Type.Condition(Place.STEP),
                  "Evaluated before each round: the round follows if it is true.")
              .may(
                  "maxRounds",
                  new Type.Whole(1, 100_000),
                  "The most rounds; the step fails if another one should follow; default 100.")
              .must("steps", new Type.ListOf(FlowStep.SHAPE), "The steps of each round.")
              .build());

  private static RepeatStep read(StepSource source) {
    Fields repeat = source.fields();
    return new RepeatStep(
        source.position(),
        repeat.templateOrNull("until"),
        repeat.templateOrNull("while"),
        source.steps(repeat.list("steps")),
        repeat.whole("maxRounds", USUAL_ROUNDS));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(until, whilst);
  }

  @Override
  public List<Branch> branches() {
    return List.of(new Branch(position, word(), null, steps));
  }

  @Override
  public boolean isBlock() {
    return true;
  }

  @Override
  public boolean isRepeated() {
    return true;
  }

  /** It can have too many rounds. */
  @Override
  public boolean canFail() {
    return true;
  }

  /** Returns the output of the last step in the last round. */
  @Override
  public @Nullable Object run(StepRun step) throws Exception {
    return step.inner().repeated(step.step(), new StepRun.Rounds(until, whilst, steps, maxRounds));
  }

  @Override
  public String description() {
    return until == null
        ? "repeat while " + (whilst == null ? "" : whilst.plain())
        : "repeat until " + until.plain();
  }

  @Override
  public String note() {
    return "at most %,d rounds".formatted(maxRounds);
  }
}
