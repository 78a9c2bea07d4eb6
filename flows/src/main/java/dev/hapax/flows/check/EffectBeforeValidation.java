package dev.hapax.flows.check;

import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step that moves money or notifies, before a check that can fail the run and could have come
 * first: its conditions depend neither on the step nor on anything that comes after it but reads of
 * other systems. Guard none is left to unguarded-before-failure.
 */
final class EffectBeforeValidation implements Rule {
  @Override
  public String id() {
    return "effect-before-validation";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.allSteps().stream().noneMatch(step -> step.kind().alwaysFails())) {
      return; // nothing validates
    }
    new Walk(flow, report).walk(flow.steps(), List.of(), List.of());
  }

  /** A step that fails the run, and the conditions under which it does. */
  private record Validation(FlowStep step, List<Template> conditions) {}

  private static final class Walk {
    private final FlowFile flow;
    private final Report report;
    private final Visibility visibility;
    private final Map<String, FlowStep> steps;

    Walk(FlowFile flow, Report report) {
      this.flow = flow;
      this.report = report;
      this.visibility = new Visibility(flow);
      this.steps =
          flow.allSteps().stream()
              .collect(Collectors.toMap(FlowStep::id, Function.identity(), (first, _) -> first));
    }

    void walk(List<FlowStep> list, List<FlowStep> after, List<Template> around) {
      for (int i = 0; i < list.size(); i++) {
        FlowStep step = list.get(i);
        boolean cannotBeUndone = cannotBeUndone(step);
        if (!cannotBeUndone && step.kind().branches().isEmpty()) {
          continue;
        }
        var following = new ArrayList<>(list.subList(i + 1, list.size()));
        following.addAll(after);
        List<Template> own = with(around, step.when());
        for (FlowStepKind.Branch branch : step.kind().branches()) {
          walk(branch.steps(), following, with(own, branch.when()));
        }
        if (cannotBeUndone) {
          var validations = new ArrayList<Validation>();
          following.forEach(next -> collect(next, List.of(), validations));
          validations.stream()
              .filter(validation -> couldComeBefore(step, own, validation))
              .findFirst()
              .ifPresent(validation -> report(step, validation));
        }
      }
    }

    private void report(FlowStep step, Validation validation) {
      report.add(
          Objects.requireNonNull(step.effect()).position(),
          "step '%s' cannot be undone and comes before '%s', which fails the run for a reason that could be known earlier"
              .formatted(step.id(), validation.step().id()),
          "Move '%s' before it, or add compensate to it with onFailure: compensate."
              .formatted(validation.step().id()));
    }

    private boolean cannotBeUndone(FlowStep step) {
      EffectContract effect = step.effect();
      return effect != null
          && (effect.kind() == EffectKind.NOTIFY || Money.isMovedBy(step))
          && !effect.guard().stopsOnDoubt()
          && (step.compensate() == null || flow.onFailure() != Flow.OnFailure.COMPENSATE);
    }

    private static void collect(FlowStep step, List<Template> around, List<Validation> found) {
      List<Template> conditions = with(around, step.when());
      if (step.forEach() != null) {
        conditions = with(conditions, step.forEach().items());
      }
      if (step.kind().alwaysFails() && step.canFail() && !conditions.isEmpty()) {
        found.add(new Validation(step, conditions));
      }
      for (FlowStepKind.Branch branch : step.kind().branches()) {
        conditions =
            with(conditions, branch.when()); // a later branch needs the earlier ones to be false
        for (FlowStep inner : branch.steps()) {
          collect(inner, conditions, found);
        }
      }
    }

    private boolean couldComeBefore(FlowStep step, List<Template> own, Validation validation) {
      Set<List<String>> decided = paths(own.stream());
      return paths(validation.conditions().stream()).stream().noneMatch(decided::contains)
          && validation.conditions().stream()
              .allMatch(condition -> isKnownBefore(step, condition, new HashSet<>()));
    }

    private boolean isKnownBefore(FlowStep step, Template value, Set<String> seen) {
      if (value.reach().reaches("rework")) {
        return false;
      }
      for (String id : value.reach().steps()) {
        FlowStep read = steps.get(id);
        if (read == null || visibility.before(step).contains(id) || !seen.add(id)) {
          continue;
        }
        if (!isMovable(read, step)
            || !read.templates().allMatch(text -> isKnownBefore(step, text, seen))) {
          return false;
        }
      }
      return true;
    }

    /** A read of the same system may be there to see what the step has done. */
    private static boolean isMovable(FlowStep read, FlowStep step) {
      Set<String> ofStep = step.kind().connections().collect(Collectors.toSet());
      return read.kind().onlyReads()
          && read.effect() == null
          && read.kind().connections().noneMatch(ofStep::contains);
    }

    private static Set<List<String>> paths(Stream<Template> templates) {
      return templates
          .flatMap(template -> template.reach().paths().stream())
          .collect(Collectors.toSet());
    }

    private static List<Template> with(List<Template> some, @Nullable Template another) {
      if (another == null) {
        return some;
      }
      var all = new ArrayList<>(some);
      all.add(another);
      return all;
    }
  }
}
