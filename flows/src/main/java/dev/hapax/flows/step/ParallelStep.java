package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parallel branches, by name. */
record ParallelStep(Position position, List<Branch> branches) implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "parallel",
          "Branches that run in parallel.",
          ParallelStep::read,
          Shape.of("parallel", "parallel")
              .must("branches", new Type.Branches(FlowStep.SHAPE), "The branches, by name.")
              .build());

  private static ParallelStep read(StepSource source) {
    var branches = new ArrayList<Branch>();
    source
        .fields()
        .branches("branches")
        .forEach(
            (name, steps) ->
                branches.add(new Branch(source.position(), name, null, source.steps(steps))));
    return new ParallelStep(source.position(), branches);
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Stream.empty();
  }

  @Override
  public Map<String, @Nullable Object> run(StepRun step) throws Exception {
    List<@Nullable Object> outputs =
        step.inner().atOnce(branches.stream().map(Branch::steps).toList());
    var output = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < branches.size(); i++) {
      output.put(branches.get(i).name(), outputs.get(i));
    }
    return output;
  }

  @Override
  public Look look() {
    return Look.BRANCHES;
  }

  @Override
  public String description() {
    return "all at the same time";
  }
}
