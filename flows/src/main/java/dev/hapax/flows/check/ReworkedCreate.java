package dev.hapax.flows.check;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Reach;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A create or notify inside a rework whose content can change, though it is sent only once. */
final class ReworkedCreate implements Rule {
  @Override
  public String id() {
    return "reworked-create";
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
    check(flow.steps(), report);
  }

  private static void check(List<FlowStep> steps, Report report) {
    for (int i = 0; i < steps.size(); i++) {
      FlowStep step = steps.get(i);
      step.inner().forEach(inner -> check(inner, report));
      String rework = step.kind().rework();
      for (int from = 0; rework != null && from < i; from++) {
        if (steps.get(from).id().equals(rework)) {
          new Repeated(step.id(), report).walk(steps.subList(from, i), false);
          break;
        }
      }
    }
  }

  /** The steps that a rework repeats, in their order. */
  private static final class Repeated {
    private final String approval;
    private final Report report;

    /** The steps whose results can differ from round to round. */
    private final Set<String> changing = new HashSet<>();

    Repeated(String approval, Report report) {
      this.approval = approval;
      this.report = report;
    }

    /**
     * @param itemChanges whether the items of a loop around these steps can differ
     */
    void walk(List<FlowStep> steps, boolean itemChanges) {
      for (FlowStep step : steps) {
        FlowStep.ForEach each = step.forEach();
        boolean changes = itemChanges || (each != null && changes(each.items(), itemChanges));
        step.inner().forEach(inner -> walk(inner, changes));
        if (isSentOnce(step.effect())) {
          warn(step, changes);
        } else if (!step.kind().passesValuesOn() || anyChanges(step.kind().templates(), changes)) {
          changing.add(step.id());
        }
      }
    }

    private void warn(FlowStep step, boolean itemChanges) {
      EffectContract effect = step.effect();
      if (effect == null || effect.onRework() == OnRework.REUSE) {
        return;
      }
      if (effect.onRework() != null) {
        changing.add(step.id()); // another round may have another result
        return;
      }
      if (anyChanges(step.kind().templates(), itemChanges)
          && !anyChanges(Stream.of(effect.key()), itemChanges)) {
        report.add(
            effect.position(),
            "a rework of approval '%s' can change the content of step '%s', which is sent only once: later rounds reuse the first result"
                .formatted(approval, step.id()),
            "Say what you want with onRework: reuse, review or revise; or make it kind: update.");
      }
    }

    private static boolean isSentOnce(@Nullable EffectContract effect) {
      return effect != null
          && (effect.kind() == EffectKind.CREATE || effect.kind() == EffectKind.NOTIFY);
    }

    private boolean anyChanges(Stream<Template> templates, boolean itemChanges) {
      return templates.anyMatch(template -> changes(template, itemChanges));
    }

    private boolean changes(Template template, boolean itemChanges) {
      Reach reach = template.reach();
      return reach.reaches("rework")
          || reach.paths().contains(List.of("run", "round"))
          || reach.handsOutAnAddress()
          || reach.momentCall() != null
          || (itemChanges && reach.reaches("item"))
          || reach.steps().stream().anyMatch(changing::contains);
    }
  }
}
