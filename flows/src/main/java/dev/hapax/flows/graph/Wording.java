package dev.hapax.flows.graph;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;

/** The words of a picture, except those of steps and triggers. */
final class Wording {
  private Wording() {}

  static String effect(EffectContract effect) {
    return effect.kind().word() + " · " + effect.guard().word();
  }

  static String loop(FlowStep.ForEach forEach) {
    Template key = forEach.itemKey();
    return "for each of %s%s · %d at once"
        .formatted(
            forEach.items().plain(), key == null ? "" : ", by " + key.plain(), forEach.atOnce());
  }

  static String key(FlowFile flow) {
    Template key = flow.key();
    if (key == null) {
      return "a run per start";
    }
    return "one run per " + (flow.isKeyedByFingerprint() ? "input" : key.plain());
  }
}
