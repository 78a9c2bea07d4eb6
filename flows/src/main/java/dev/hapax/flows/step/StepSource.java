package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import java.util.List;

/** The value of a step's kind in a file, for the reader of the kind. */
public final class StepSource {
  private final Fields step;
  private final String word;
  private final Inner inner;

  /** Reads the steps inside a step, and collects problems. */
  interface Inner {
    List<FlowStep> steps(List<Fields> steps);

    void problem(FileProblem problem);
  }

  StepSource(Fields step, String word, Inner inner) {
    this.step = step;
    this.word = word;
    this.inner = inner;
  }

  Position position() {
    return step.position(word);
  }

  Fields fields() {
    return step.fieldsOf(word);
  }

  List<Fields> list() {
    return step.list(word);
  }

  ValueTemplate.Mapping members() {
    return step.members(word);
  }

  /** Reads inner steps. */
  List<FlowStep> steps(List<Fields> steps) {
    return inner.steps(steps);
  }

  void problem(String rule, Position position, String message, String fix) {
    inner.problem(new FileProblem(rule, position, message, fix));
  }
}
