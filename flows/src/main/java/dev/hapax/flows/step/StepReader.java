package dev.hapax.flows.step;

import dev.hapax.flow.RetryPolicy;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the fields that any step may have, and leaves the rest to the step's kind. */
public final class StepReader implements StepSource.Inner {
  private static final String FOR_EACH = BlockStep.FOR_EACH;
  private static final String STEPS = BlockStep.STEPS;
  private static final int USUALLY_AT_ONCE = 16;

  private final List<FileProblem> problems;

  public StepReader(List<FileProblem> problems) {
    this.problems = problems;
  }

  /** Returns the shapes of steps and of everything inside them, in the order of the docs. */
  public static List<Shape> shapes() {
    var shapes = new ArrayList<Shape>();
    shapes.add(step());
    shapes.add(compensation());
    shapes.add(
        Shape.of(FOR_EACH, FOR_EACH)
            .must("items", Types.TEMPLATE, "The list.")
            .may(
                "atOnce",
                new Type.Whole(1, 256),
                "How many items run at the same time; default 16.")
            .may(
                STEPS,
                new Type.ListOf(FlowStep.SHAPE),
                "The steps for each item, one after another, instead of a kind.")
            .build());
    shapes.add(
        Shape.of("retry", "retry")
            .may("attempts", new Type.Whole(1, 1_000), "The most attempts; default 5.")
            .may("delay", Types.TIME, "The delay before the second attempt; default 1s.")
            .may("factor", new Type.Real(1, 100), "The factor by which the delay grows; default 2.")
            .may("maxDelay", Types.TIME, "The longest delay; default 5m.")
            .may("jitter", new Type.Real(0, 1), "How far the delay varies at random; default 0.2.")
            .may("within", Types.TIME, "No attempt begins after this time; default 1h.")
            .build());
    shapes.addAll(EffectReader.shapes());
    StepKinds.ALL.forEach(kind -> shapes.addAll(kind.shapes()));
    return shapes;
  }

  private static Shape step() {
    Shape.Builder step =
        Shape.of(FlowStep.SHAPE, "a step")
            .several(FileProblem.TWO_KINDS, "Split it into two steps.")
            .part()
            .must(
                "id",
                Types.ID,
                "The name of the step, unique in the file; the history uses it too.")
            .may("when", new Type.Condition(Place.STEP), "The step is skipped if this is false.")
            .may(
                FOR_EACH,
                new Type.TemplatedOr(Place.STEP, FOR_EACH),
                "A list: the step runs for each item, with a state per item.")
            .may("itemKey", Types.TEMPLATE, "The key of an item; never its position in the list.")
            .may("lock", Types.TEMPLATE, "One step at a time per key, across flows.")
            .orInside(FOR_EACH, STEPS);
    StepKinds.ALL.forEach(kind -> step.either(kind.word(), kind.type(), kind.doc()));
    return step.may(
            "effect",
            new Type.Of("effect"),
            "The contract of a step that changes the outside world.")
        .may("retry", new Type.Of("retry"), "When to try again, and when to stop.")
        .may("timeout", Types.TIME, "How long one attempt may take; default 30s.")
        .may("compensate", new Type.Of("compensate"), "How the step is undone.")
        .may(
            "onError",
            Types.words("fail", "continue"),
            "With `continue` the run continues after a failure.")
        .may(
            "runbook",
            Types.RUNBOOK,
            "What people should do when this step needs them, instead of the flow's runbook.")
        .may("sample", Types.VALUE, "The output of the step in drafts, which send nothing.")
        .build();
  }

  private static Shape compensation() {
    Shape.Builder compensation = Shape.of("compensate", "a compensation");
    for (StepForm kind : StepKinds.COMPENSATIONS) {
      compensation.either(
          kind.word(), kind.type(), Objects.requireNonNull(kind.compensation(), kind.word()));
    }
    return compensation
        .may(
            "effect",
            new Type.Of("effect"),
            "The contract of the compensation; PUT and DELETE are `upsert` without one.")
        .may("retry", new Type.Of("retry"), "When to try again.")
        .may("timeout", Types.TIME, "How long one attempt may take.")
        .build();
  }

  @Override
  public List<FlowStep> steps(List<Fields> steps) {
    return steps.stream().filter(Fields::isSound).map(this::step).toList();
  }

  private FlowStep step(Fields step) {
    return new FlowStep(
        step.position("id"),
        step.text("id"),
        kindOrBlock(step),
        step.templateOrNull("when"),
        forEach(step),
        EffectReader.read(step),
        retry(step.fields("retry")),
        step.time("timeout"),
        compensate(step),
        step.templateOrNull("lock"),
        step.word(FlowStep.OnError.class, "onError", FlowStep.OnError.FAIL),
        step.textOrNull("runbook"),
        step.valueOrNull("sample"),
        StepDefinition.of(step.plain()));
  }

  private FlowStepKind kindOrBlock(Fields step) {
    return step.raw(FOR_EACH) instanceof Fields loop && loop.has(STEPS)
        ? new BlockStep(loop.position(STEPS), steps(loop.list(STEPS)))
        : kind(step);
  }

  private FlowStepKind kind(Fields step) {
    String word = step.alternative();
    return StepKinds.named(word).reader().read(new StepSource(step, word, this));
  }

  private FlowStep.@Nullable ForEach forEach(Fields step) {
    Position at = step.position(FOR_EACH);
    Template itemKey = step.templateOrNull("itemKey");
    return switch (step.raw(FOR_EACH)) {
      case null -> {
        if (itemKey != null) {
          problem(
              new FileProblem(
                  FileProblem.SCHEMA,
                  step.position("itemKey"),
                  "itemKey needs forEach",
                  "Add forEach: ${ a list }, or remove itemKey."));
        }
        yield null;
      }
      case Template items -> new FlowStep.ForEach(at, items, itemKey, USUALLY_AT_ONCE);
      case Fields fields ->
          new FlowStep.ForEach(
              at, fields.template("items"), itemKey, fields.whole("atOnce", USUALLY_AT_ONCE));
      default -> throw new IllegalStateException("forEach is a template or fields");
    };
  }

  private @Nullable RetryPolicy retry(@Nullable Fields retry) {
    if (retry == null) {
      return null;
    }
    RetryPolicy usual = RetryPolicy.DEFAULT;
    return new RetryPolicy(
        retry.whole("attempts", usual.attempts()),
        retry.time("delay", usual.delay()),
        retry.real("factor", usual.factor()),
        retry.time("maxDelay", usual.maxDelay()),
        retry.real("jitter", usual.jitter()),
        retry.time("within", usual.within()));
  }

  private FlowStep.@Nullable Compensate compensate(Fields step) {
    Fields fields = step.fields("compensate");
    if (fields == null) {
      return null;
    }
    return new FlowStep.Compensate(
        step.position("compensate"),
        (SendingStep) kind(fields),
        EffectReader.read(fields),
        retry(fields.fields("retry")),
        fields.time("timeout"));
  }

  @Override
  public void problem(FileProblem problem) {
    problems.add(problem);
  }
}
