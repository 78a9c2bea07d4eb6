package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A reference to a step that is not finished when its result is needed. */
final class LaterStep implements Rule {
  @Override
  public String id() {
    return "later-step";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var visibility = new Visibility(flow);
    for (FlowStep step : flow.allSteps()) {
      Set<String> before = visibility.before(step);
      Set<String> withItself = new HashSet<>(before);
      withItself.add(step.id());
      Set<Template> undoing = undoing(step.compensate());
      Set<Template> ofRounds =
          step.kind().isRepeated() ? new HashSet<>(step.kind().templates().toList()) : Set.of();
      step.templates()
          .forEach(
              template ->
                  check(
                      template,
                      ofRounds.contains(template)
                          ? visibility.inRounds(step)
                          : undoing.contains(template) ? withItself : before,
                      visibility,
                      report));
    }
    if (flow.output() != null) {
      flow.output()
          .templates()
          .forEach(template -> check(template, visibility.atEnd(), visibility, report));
    }
  }

  private static Set<Template> undoing(FlowStep.@Nullable Compensate compensate) {
    if (compensate == null) {
      return Set.of();
    }
    EffectContract effect = compensate.effect();
    return new HashSet<>(
        Stream.concat(
                compensate.kind().templates(),
                effect == null ? Stream.empty() : Stream.of(effect.key()))
            .toList());
  }

  private static void check(
      Template template, Set<String> over, Visibility visibility, Report report) {
    for (Expression expression : template.expressions()) {
      List<String> later =
          expression.reach().steps().stream()
              .filter(id -> visibility.exists(id) && !over.contains(id))
              .sorted()
              .toList();
      for (String id : later) {
        report.add(
            expression.position(),
            "'%s' reads step '%s', which has not ended at this point"
                .formatted(expression.text(), id),
            "Read only steps that come before this one and are not inside other branches or loops.");
      }
    }
  }
}
