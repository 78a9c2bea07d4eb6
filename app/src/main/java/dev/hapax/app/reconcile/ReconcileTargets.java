package dev.hapax.app.reconcile;

import dev.hapax.app.http.Problem;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of a flow whose effects a reconciliation can compare. */
public final class ReconcileTargets {
  private ReconcileTargets() {}

  /**
   * Returns all of them.
   *
   * @param step only this one; null for all
   */
  public static List<ReconcileWish.Target> of(LoadedFlow loaded, @Nullable String step) {
    List<ReconcileWish.Target> targets = new ArrayList<>();
    for (FlowStep one : loaded.file().allSteps()) {
      EffectContract effect = one.effect();
      if (effect == null
          || effect.kind() == EffectKind.READ
          || !effect.isReconciled()
          || (step != null && !step.equals(one.id()))) {
        continue;
      }
      String own = effect.name();
      boolean hasList = effect.reconcile() != null && effect.reconcile().list() != null;
      targets.add(
          new ReconcileWish.Target(
              one.id(),
              own == null ? loaded.file().name() + "/" + one.id() : own,
              hasList ? null : Boolean.TRUE));
    }
    return List.copyOf(targets);
  }

  /** As above; refuses if there are none. */
  static List<ReconcileWish.Target> needed(LoadedFlow loaded, @Nullable String step) {
    List<ReconcileWish.Target> targets = of(loaded, step);
    if (targets.isEmpty()) {
      throw Problem.invalidInput(
          step == null
              ? "flow '%s' has no step with effect.reconcile or with a guard that looks up: add effect.reconcile, and say there how to list the objects"
                  .formatted(loaded.file().name())
              : "step: expected a step with effect.reconcile or with a guard that looks up, got '%s'"
                  .formatted(step));
    }
    return targets;
  }

  /** Returns the lowest rate that these steps give; null if none does. */
  public static @Nullable Integer rate(LoadedFlow loaded, List<ReconcileWish.Target> targets) {
    Integer lowest = null;
    for (FlowStep one : loaded.file().allSteps()) {
      EffectContract.Reconcile terms = one.effect() == null ? null : one.effect().reconcile();
      Integer rate = terms == null ? null : terms.rate();
      if (rate != null
          && targets.stream().anyMatch(target -> target.step().equals(one.id()))
          && (lowest == null || rate < lowest)) {
        lowest = rate;
      }
    }
    return lowest;
  }
}
