package dev.hapax.engine.control;

import dev.hapax.engine.Engine;
import dev.hapax.engine.plan.ReplayPlanner;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StalePlan;
import dev.hapax.run.KeyHolder;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replays runs that have ended: plans what would be sent, and does exactly that. */
public final class ReplayControl {
  private static final int MOST_NAMED = 5;

  private final Engine engine;
  private final Store store;
  private final RunControl runs;
  private final ReplayPlanner planner;

  public ReplayControl(Engine engine, Store store, RunControl runs) {
    this.engine = engine;
    this.store = store;
    this.runs = runs;
    this.planner = new ReplayPlanner(engine, store);
  }

  /** Says what the replay of a run would do; nothing is written or sent. */
  public ReplayPlan plan(RunId id, ReplayWish wish) {
    return planner.plan(ended(id), wish, "plan", null).plan();
  }

  /**
   * Carries out a plan.
   *
   * @throws StalePlan if the run or an effect of the plan has changed
   */
  public void apply(RunId id, ReplayPlan plan, String actor, @Nullable String reason) {
    RunControl.refuseUnstorable(actor, reason);
    for (int tries = 0; ; tries++) {
      StoredRun stored = ended(id);
      ReplayPlanner.Made now = planner.plan(stored, plan.wish(), actor, reason);
      if (!now.plan().digest().equals(plan.digest())) {
        throw new StalePlan(
            "the plan for run %s is stale: %s. Make a new plan"
                .formatted(id, difference(plan, now.plan())));
      }
      String input = now.entry().input();
      Run run = stored.run();
      var changes = new ArrayList<>(now.changes());
      changes.add(
          new Change.Reopen(
              input,
              input == null ? null : Fingerprint.of(input),
              runs.timeoutAgain(run),
              input == null ? null : engine.flows().gateOf(run, input),
              input == null ? null : engine.flows().searchOf(run, input),
              now.entry().release()));
      if (runs.landed(tries, stored, List.of(now.entry()), changes)) {
        return;
      }
    }
  }

  private StoredRun ended(RunId id) {
    if (store.find(id) == null && store.holder(id) instanceof KeyHolder.Expired) {
      throw new NotPossible(
          "run %s has expired: its journal is gone, and with it what a replay would go on from. Start its flow under another key"
              .formatted(id));
    }
    StoredRun stored = runs.load(id);
    Run run = stored.run();
    if (!run.status().isEnd() || run.status() == RunStatus.COMPENSATED) {
      throw new NotPossible(
          "run %s is %s; only a run that has ended can be replayed%s"
              .formatted(id, run.status().word(), instead(run)));
    }
    runs.refuseForgotten(id);
    return stored;
  }

  private static String instead(Run run) {
    return switch (run.status()) {
      case COMPENSATED ->
          ", and not one whose effects are undone. Start its flow under another key";
      case REVIEW ->
          run.isQuarantined() ? ": resume it, or cancel it" : ": settle its effect in review";
      case COMPENSATING -> ": it undoes its effects";
      default -> ": it continues by itself. Cancel it first";
    };
  }

  private static String difference(ReplayPlan then, ReplayPlan now) {
    var changed = new ArrayList<String>();
    for (ReplayPlan.Item item : now.items()) {
      ReplayPlan.Item before = find(then, item);
      if (before == null) {
        changed.add(named(item) + " is new, as " + item.decision().word());
      } else if (before.decision() != item.decision()
          || !Objects.equals(before.revision(), item.revision())) {
        changed.add(
            "%s was %s and is %s now"
                .formatted(named(item), before.decision().word(), item.decision().word()));
      }
    }
    for (ReplayPlan.Item item : then.items()) {
      if (find(now, item) == null) {
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

  private static ReplayPlan.@Nullable Item find(ReplayPlan plan, ReplayPlan.Item wanted) {
    return plan.items().stream()
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
