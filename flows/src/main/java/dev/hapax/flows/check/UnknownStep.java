package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A reference to a step that the file does not have. */
final class UnknownStep implements Rule {
  private static final Set<String> FIELDS = Set.of("output", "externalId", "error");

  @Override
  public String id() {
    return "unknown-step";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var visibility = new Visibility(flow);
    Stream<Template> ofSteps = flow.allSteps().stream().flatMap(Step::templates);
    Stream<Template> ofEnd = flow.output() == null ? Stream.empty() : flow.output().templates();
    Stream.concat(ofSteps, ofEnd)
        .flatMap(template -> template.expressions().stream())
        .forEach(expression -> check(expression, visibility, flow, report));
    flow.allSteps().forEach(step -> checkRework(step, visibility, report));
  }

  private static void check(
      Expression expression, Visibility visibility, FlowFile flow, Report report) {
    for (List<String> path : expression.reach().paths()) {
      if (!path.getFirst().equals("steps") || path.size() < 2) {
        continue;
      }
      String id = path.get(1);
      if (!visibility.exists(id)) {
        report.add(
            expression.position(),
            "'%s' reads step '%s', which this flow does not have%s"
                .formatted(expression.text(), id, Suggestion.among(id, visibility.all())),
            "Use the id of an earlier step.");
      } else if (path.size() > 2 && !FIELDS.contains(path.get(2))) {
        report.add(
            expression.position(),
            "'%s' reads '%s' of step '%s'%s"
                .formatted(
                    expression.text(), path.get(2), id, Suggestion.among(path.get(2), FIELDS)),
            "A step has output, externalId and error: steps.%s.output.".formatted(id));
      }
    }
    for (String id : expression.reach().callbacks()) {
      boolean waits =
          flow.allSteps().stream()
              .anyMatch(
                  step -> step.id().equals(id) && step.kind() instanceof StepKind.WaitCallback);
      if (!waits) {
        report.add(
            expression.position(),
            "callback('%s') names no step that waits for a callback".formatted(id),
            "Name a step with wait: {callback: …}.");
      }
    }
  }

  private static void checkRework(Step step, Visibility visibility, Report report) {
    if (step.kind() instanceof StepKind.Ask ask
        && ask.rework() != null
        && !visibility.before(step).contains(ask.rework())) {
      report.add(
          ask.position(),
          "rework goes back to '%s', which is no earlier step".formatted(ask.rework()),
          "Name a step before this approval, in the same list.");
    }
  }
}
