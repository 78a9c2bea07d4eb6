package dev.hapax.engine.control;

import dev.hapax.flow.ReplayPlan;
import dev.hapax.json.JsonDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says in words what has changed since a plan was made. */
final class PlanDifference {
  private static final int MOST_NAMED = 5;

  private PlanDifference() {}

  static String between(ReplayControl.Kept then, ReplayPlan now) {
    var changed = new ArrayList<String>();
    for (ReplayPlan.Item item : now.items()) {
      ReplayPlan.Item before = find(then.items(), item);
      if (before == null) {
        if (then.isWhole()) {
          changed.add(named(item) + " is new, as " + item.decision().word());
        }
      } else if (before.decision() != item.decision()
          || !Objects.equals(before.revision(), item.revision())) {
        changed.add(
            "%s was %s and is %s now"
                .formatted(named(item), before.decision().word(), item.decision().word()));
      } else if (before.request() != null && item.request() != null) {
        JsonDifference differs = JsonDifference.between(before.request(), item.request());
        if (differs != null) { // the values may be secret to the person who applies the plan
          changed.add("%s has another request now, at %s".formatted(named(item), differs.path()));
        }
      }
    }
    for (ReplayPlan.Item item : then.items()) {
      if (find(now.items(), item) == null) {
        changed.add(named(item) + " is gone");
      }
    }
    return changed.isEmpty()
        ? "the run has changed since"
        : String.join("; ", changed.subList(0, Math.min(MOST_NAMED, changed.size())));
  }

  private static String named(ReplayPlan.Item item) {
    return "step '%s'%s (%s '%s')"
        .formatted(
            item.step(),
            item.item() == null ? "" : " of item '" + item.item() + "'",
            item.name(),
            item.key());
  }

  private static ReplayPlan.@Nullable Item find(
      List<ReplayPlan.Item> items, ReplayPlan.Item wanted) {
    return items.stream()
        .filter(
            one ->
                one.step().equals(wanted.step())
                    && Objects.equals(one.item(), wanted.item())
                    && one.name().equals(wanted.name())
                    && Objects.equals(one.key(), wanted.key()))
        .findFirst()
        .orElse(null);
  }
}
