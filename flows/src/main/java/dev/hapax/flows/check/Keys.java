package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of a flow: values that must be the same for the same intent. */
final class Keys {
  private Keys() {}

  /**
   * A key and its name for people.
   *
   * @param step null for a key of the flow
   * @param isEffect whether the ledger identifies an effect by it
   */
  record Key(Template template, String what, @Nullable FlowStep step, boolean isEffect) {}

  static List<Key> of(FlowFile flow) {
    var keys = new ArrayList<Key>();
    if (flow.key() != null && !flow.isKeyedByFingerprint()) {
      keys.add(new Key(flow.key(), "the key of flow '%s'".formatted(flow.name()), null, false));
    }
    if (flow.concurrency() != null && flow.concurrency().key() != null) {
      keys.add(new Key(flow.concurrency().key(), "the concurrency key", null, false));
    }
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      if (effect != null) {
        keys.add(
            new Key(
                effect.key(),
                "the key of '%s'".formatted(effectName(flow, step, effect)),
                step,
                true));
      }
      if (step.forEach() != null && step.forEach().itemKey() != null) {
        keys.add(
            new Key(
                step.forEach().itemKey(),
                "the item key of step '%s'".formatted(step.id()),
                step,
                false));
      }
      FlowStepKind.Key child = step.kind().childKey();
      if (child != null) {
        keys.add(new Key(child.template(), child.what(), step, false));
      }
    }
    return keys;
  }

  /** As above, and what else must not differ: locks, written entries, versions of effects. */
  static List<Key> withEntries(FlowFile flow) {
    var keys = new ArrayList<Key>(of(flow));
    for (FlowStep step : flow.allSteps()) {
      add(keys, step.lock(), "the key of the lock of step '%s'", step);
      add(keys, step.kind().writtenEntry(), "the key of the entry that step '%s' writes", step);
      EffectContract effect = step.effect();
      add(keys, effect == null ? null : effect.version(), "the version in step '%s'", step);
    }
    return keys;
  }

  private static void add(List<Key> keys, @Nullable Template template, String what, FlowStep step) {
    if (template != null) {
      keys.add(new Key(template, what.formatted(step.id()), step, false));
    }
  }

  private static String effectName(FlowFile flow, FlowStep step, EffectContract effect) {
    return effect.name() == null ? flow.name() + "/" + step.id() : effect.name();
  }
}
