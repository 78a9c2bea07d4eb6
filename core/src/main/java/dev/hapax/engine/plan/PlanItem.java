package dev.hapax.engine.plan;

import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Step;
import org.jspecify.annotations.Nullable;

/**
 * A message or a child run of a planned step.
 *
 * @param run that delivers the message, or that is the child; null if it is not there yet
 */
record PlanItem(Step step, ReplayPlan.Type type, String name, String key, @Nullable String run) {
  PlanItem(Step step, ReplayPlan.Type type, String name, String key) {
    this(step, type, name, key, null);
  }

  PlanItem by(String id) {
    return new PlanItem(step, type, name, key, id);
  }

  ReplayPlan.Item as(
      ReplayPlan.Decision decision, @Nullable String request, @Nullable String note) {
    return new ReplayPlan.Item(
        step.name(),
        step.item(),
        type,
        decision,
        name,
        key,
        null,
        null,
        null,
        run,
        request,
        null,
        note);
  }
}
