package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;

/**
 * A flow whose starts have nothing in common: no key, and no trigger that gives one. A start that
 * is sent again is another run. A flow that only reads and waits needs no key.
 */
final class FlowWithoutKey implements Rule {
  @Override
  public String id() {
    return "flow-without-key";
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
    if (flow.key() == null
        && flow.triggers().isEmpty()
        && flow.allSteps().stream().anyMatch(FlowWithoutKey::acts)) {
      report.add(
          flow.position(),
          "flow '%s' has no key, so a start that is sent again is another run"
              .formatted(flow.name()),
          "Add key with the id of the unit of work, for example key: ${input.orderId}, or key:"
              + " fingerprint.");
    }
  }

  private static boolean acts(FlowStep step) {
    return (step.effect() != null && step.effect().kind() != EffectKind.READ)
        || step.kind().courier() != null
        || !step.kind().startedFlows().isEmpty();
  }
}
