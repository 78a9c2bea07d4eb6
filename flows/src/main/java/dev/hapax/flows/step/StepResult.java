package dev.hapax.flows.step;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.EffectContract;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a step for the steps after it. */
public final class StepResult {
  private StepResult() {}

  /** A step's result as others see it: its output and, for an effect, the destination's id. */
  public static Map<String, @Nullable Object> of(StepRun step, @Nullable Object output) {
    var result = new LinkedHashMap<String, @Nullable Object>();
    result.put("output", output);
    result.put("externalId", externalId(step, output));
    result.put("error", null);
    return result;
  }

  /** Prefers the id in the ledger, no matter who reported it, to the one in the output. */
  private static @Nullable Object externalId(StepRun step, @Nullable Object output) {
    if (step.step().effect() == null || (step.step().forEach() != null && step.item() == null)) {
      return null;
    }
    String known = step.run().externalId(step.id());
    return known != null || output == null
        ? known
        : Guarded.<@Nullable Object>prepared(step, () -> externalIdIn(step, output));
  }

  static @Nullable Object externalIdIn(StepRun step, Object output) {
    EffectContract effect = step.step().effect();
    Template template = effect == null ? null : effect.externalId();
    return template == null ? null : template.value(step.scope().with("output", output));
  }
}
