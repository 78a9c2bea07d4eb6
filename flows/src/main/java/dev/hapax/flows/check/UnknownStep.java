package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A reference to a step that the file does not have. */
final class UnknownStep implements Rule {
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
    Stream<Template> ofSteps = flow.allSteps().stream().flatMap(FlowStep::templates);
    Stream<Template> ofEnd = flow.output() == null ? Stream.empty() : flow.output().templates();
    Stream.concat(ofSteps, ofEnd)
        .flatMap(template -> template.expressions().stream())
        .forEach(expression -> check(expression, visibility, flow, report));
    checkRework(flow.steps(), report);
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
      } else if (path.size() > 2) {
        checkMember(expression, path, flow, report);
      }
    }
    checkApprovals(expression, flow, report);
    for (String id : expression.reach().callbacks()) {
      boolean waits =
          flow.allSteps().stream()
              .anyMatch(step -> step.id().equals(id) && step.kind().awaitsCallback());
      if (!waits) {
        report.add(
            expression.position(),
            "callback('%s') names no step that waits for a callback".formatted(id),
            "Name a step with wait: {callback: …}.");
      }
    }
  }

  private static void checkApprovals(Expression expression, FlowFile flow, Report report) {
    for (String id : expression.reach().approvals()) {
      List<String> asking =
          flow.allSteps().stream()
              .filter(step -> step.kind().asksPeople())
              .map(FlowStep::id)
              .toList();
      if (!asking.contains(id)) {
        report.add(
            expression.position(),
            id.isEmpty()
                ? "approval() needs the id of an approval step as a constant text"
                : "approval('%s') names no approval of this flow%s"
                    .formatted(id, Suggestion.among(id, Set.copyOf(asking))),
            "Name a step with approval: {ask: …}.");
      }
    }
  }

  private static void checkMember(
      Expression expression, List<String> path, FlowFile flow, Report report) {
    String id = path.get(1);
    String member = path.get(2);
    Set<String> members =
        flow.allSteps().stream()
            .filter(step -> step.id().equals(id))
            .findFirst()
            .map(StepResult::members)
            .orElse(StepResult.ALWAYS);
    if (!members.contains(member)) {
      report.add(
          expression.position(),
          "'%s' reads '%s', which is not a field of step '%s'%s"
              .formatted(expression.text(), member, id, Suggestion.among(member, members)),
          "Step '%s' has %s: steps.%s.output.".formatted(id, String.join(", ", members), id));
    }
  }

  /** A run goes back only within one list, also in rounds, where each step comes before each. */
  private static void checkRework(List<FlowStep> steps, Report report) {
    var earlier = new HashSet<String>();
    for (FlowStep step : steps) {
      String rework = step.kind().rework();
      if (rework != null && !earlier.contains(rework)) {
        report.add(
            step.kind().position(),
            "rework goes back to '%s', which is not an earlier step".formatted(rework),
            "Name a step before this approval, in the same list.");
      }
      earlier.add(step.id());
      step.inner().forEach(inner -> checkRework(inner, report));
    }
  }
}
