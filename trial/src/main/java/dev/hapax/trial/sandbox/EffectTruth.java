package dev.hapax.trial.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * What the destination knows about one effect: one wire key, so that another content of an update
 * or a corrected request counts separately.
 *
 * @param sent how many requests left
 * @param applied how often it happened
 */
public record EffectTruth(
    String effect,
    String key,
    String wireKey,
    String flow,
    String step,
    @Nullable String item,
    String guard,
    int sent,
    int applied) {
  EffectTruth and(SandboxRequest request) {
    return new EffectTruth(
        effect, key, wireKey, flow, step, item, guard, sent + 1, applied + request.times());
  }

  static EffectTruth of(RequestOrigin from) {
    return new EffectTruth(
        from.effect(),
        from.key(),
        from.wireKey(),
        from.flow(),
        from.step(),
        from.item(),
        from.guard(),
        0,
        0);
  }
}
