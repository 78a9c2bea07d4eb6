package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import org.jspecify.annotations.Nullable;

/** A reconcile that has nothing to compare the ledger with. */
final class ReconcileWithoutList implements Rule {
  @Override
  public String id() {
    return "reconcile-without-list";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      EffectContract.Reconcile reconcile = effect == null ? null : effect.reconcile();
      if (effect == null || reconcile == null) {
        continue;
      }
      String what = wrong(effect, reconcile);
      if (what != null) {
        report.add(
            reconcile.position(),
            "reconcile of step '%s' %s".formatted(step.id(), what),
            "Add list and key, or give the guard a lookup and leave out list, items, next, key and externalId.");
      }
    }
  }

  private static @Nullable String wrong(EffectContract effect, EffectContract.Reconcile reconcile) {
    if (reconcile.list() != null) {
      return reconcile.key() == null
          ? "has a list, and does not say where the effect's key is in an entry"
          : null;
    }
    if (effect.guard().lookup() == null) {
      return "has no list, and the guard has no lookup, so there is nothing to compare with";
    }
    boolean hasListParts =
        reconcile.items() != null
            || reconcile.next() != null
            || reconcile.key() != null
            || reconcile.externalId() != null;
    return hasListParts ? "says how to read a list, and has none" : null;
  }
}
