package dev.hapax.flows.explain;

import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Trigger;
import java.util.ArrayList;
import java.util.List;

/** What nothing protects, as far as the file alone shows it. */
final class Unprotected {
  private Unprotected() {}

  static List<String> of(FlowFile file) {
    var gaps = new ArrayList<String>();
    if (file.key() == null && file.triggers().isEmpty()) {
      gaps.add("a start that is sent again without an Idempotency-Key is another run");
    }
    file.triggers().forEach(trigger -> addTo(gaps, trigger));
    file.allSteps().forEach(step -> addTo(gaps, file, step));
    return List.copyOf(gaps);
  }

  private static void addTo(List<String> gaps, Trigger trigger) {
    if (trigger.acceptsAnyone()) {
      gaps.add("%s '%s' accepts events from anyone".formatted(trigger.word(), trigger.label()));
    }
  }

  private static void addTo(List<String> gaps, FlowFile file, FlowStep step) {
    EffectContract effect = step.effect();
    if (effect != null && effect.kind() != EffectKind.READ) {
      if (!effect.guard().removesDuplicates()) {
        gaps.add(
            "nothing at the destination of '%s' removes a duplicate: in doubt it is %s"
                .formatted(step.id(), effect.guard().inDoubt()));
      }
      if (effect.guard().remembersFor() != null && effect.guard().lookup() == null) {
        gaps.add(
            "if the answer of '%s' is lost and the run cannot go on for %s, a person decides"
                .formatted(step.id(), Durations.text(effect.guard().remembersFor())));
      }
      if (file.onFailure() == Flow.OnFailure.COMPENSATE && step.compensate() == null) {
        gaps.add("'%s' stays done if the run fails: it has no compensate".formatted(step.id()));
      }
    }
    if (step.kind().asksForever()) {
      gaps.add("approval '%s' never expires".formatted(step.id()));
    }
    if (step.kind().awaitsCallback() && !step.kind().canFail() && file.timeout() == null) {
      gaps.add("callback '%s' never expires".formatted(step.id()));
    }
    if (step.forEach() != null && step.forEach().itemKey() == null) {
      gaps.add(
          "the items of '%s' are known by their position only: another order is other items"
              .formatted(step.id()));
    }
  }
}
