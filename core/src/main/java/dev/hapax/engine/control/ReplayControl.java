package dev.hapax.engine.control;

import dev.hapax.engine.Engine;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.plan.PlanReads;
import dev.hapax.engine.plan.ReplayPlanner;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StalePlan;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays runs that have ended: plans what would be sent, and does exactly that. */
public final class ReplayControl {
  /** A program registers its flows right after it has opened the engine. */
  private static final Duration LOADING = Duration.ofMinutes(1);

  private final Engine engine;
  private final Store store;
  private final RunControl runs;
  private final ReplayPlanner planner;
  private final Instant openedAt;

  public ReplayControl(Engine engine, Store store, RunControl runs) {
    this.engine = engine;
    this.store = store;
    this.runs = runs;
    this.planner = new ReplayPlanner(engine, store);
    this.openedAt = engine.clock().now();
  }

  /**
   * Whether the code that a replay needs is not here, and may still come: the engine was opened a
   * moment ago.
   */
  public boolean awaitsCode(Run run, ReplayWish wish) {
    int release = wish.release() == null ? run.release() : wish.release();
    return engine.flows().find(new FlowRelease(run.tenant(), run.flow(), release)) == null
        && engine.clock().now().isBefore(openedAt.plus(LOADING));
  }

  /** Says what the replay of a run would do; nothing is written or sent. */
  public ReplayPlan plan(RunId id, ReplayWish wish) {
    return planner.plan(ended(id), wish, "plan", null).plan();
  }

  /**
   * Plans some runs of one page. Reads what their plans need in few queries.
   *
   * @param runs as they were read
   */
  public Planning planning(List<Run> runs) {
    return new Planning(new PlanReads(store, runs));
  }

  /** Plans the runs of one page. Used by one thread. */
  public final class Planning {
    private final PlanReads reads;
    private final ReplayPlanner planner;

    private Planning(PlanReads reads) {
      this.reads = reads;
      this.planner = new ReplayPlanner(engine, reads);
    }

    /** About how many characters the journals of the page have. */
    public long bytes() {
      return reads.bytes();
    }

    /**
     * Says what the replay of a run of the page would do. It holds only if {@link #misjudged} does
     * not name the run after the last run of the page; else it is planned again.
     *
     * @throws NotPossible if it cannot be replayed
     */
    public ReplayPlan plan(Run run, ReplayWish wish) {
      refuseUnlessEnded(run);
      reads.planning(run.number());
      return planner.plan(reads.stored(run), wish, "plan", null).plan();
    }

    /** Returns the numbers of the runs that have to be planned again. */
    public Set<Long> misjudged() {
      return reads.misjudged();
    }
  }

  /**
   * What is kept of a plan until it is carried out.
   *
   * @param items that people saw
   * @param isWhole whether these are all of them
   */
  public record Kept(ReplayWish wish, String digest, List<ReplayPlan.Item> items, boolean isWhole) {
    public Kept {
      items = List.copyOf(items);
    }

    static Kept of(ReplayPlan plan) {
      return new Kept(plan.wish(), plan.digest(), plan.items(), true);
    }
  }

  /**
   * Refuses a plan that does not hold any more.
   *
   * @throws StalePlan if the run or an effect of the plan has changed
   */
  public void refuseStale(RunId id, Kept plan) {
    refuseStale(id, plan, planner.plan(ended(id), plan.wish(), "plan", null).plan());
  }

  private static void refuseStale(RunId id, Kept plan, ReplayPlan now) {
    if (!now.digest().equals(plan.digest())) {
      throw new StalePlan(
          "the plan for run %s is stale: %s. Make a new plan"
              .formatted(id, PlanDifference.between(plan, now)));
    }
  }

  /**
   * Whether this actor has replayed the run.
   *
   * @param actor as the history names it, with the job
   */
  public boolean isReplayedBy(RunId id, String actor) {
    Run run = store.find(id);
    StoredRun stored = run == null ? null : store.load(run.number());
    return stored != null
        && stored.journal().stream()
            .flatMap(row -> row.readEntries().stream())
            .anyMatch(
                entry ->
                    entry instanceof RunEntry.Replayed replayed && replayed.actor().equals(actor));
  }

  /**
   * Carries out a plan.
   *
   * @throws StalePlan if the run or an effect of the plan has changed
   */
  public void apply(RunId id, ReplayPlan plan, String actor, @Nullable String reason) {
    apply(id, Kept.of(plan), actor, reason);
  }

  /** As above, with what was kept of the plan. */
  public void apply(RunId id, Kept plan, String actor, @Nullable String reason) {
    RunControl.refuseUnstorable(actor, reason);
    for (int tries = 0; ; tries++) {
      StoredRun stored = ended(id);
      ReplayPlanner.Made now = planner.plan(stored, plan.wish(), actor, reason);
      refuseStale(id, plan, now.plan());
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
    if (store.find(id) == null) {
      throw gone(id);
    }
    StoredRun stored = runs.load(id);
    refuseUnlessEnded(stored.run());
    runs.refuseForgotten(id);
    return stored;
  }

  private static void refuseUnlessEnded(Run run) {
    if (run.flow().startsWith(Names.RESERVED)) { // its steps do more than compute
      throw new NotPossible(
          "run %s of flow '%s' works for Hapax itself, and a plan would carry out its steps. Resume the job, or deliver the message again instead"
              .formatted(run.id(), run.flow()));
    }
    if (!run.status().isEnd() || run.status() == RunStatus.COMPENSATED) {
      throw new NotPossible(
          "run %s is %s; only a run that has ended can be replayed%s"
              .formatted(run.id(), run.status().word(), instead(run)));
    }
  }

  /** Whether a run that has expired was one of this tenant. */
  public boolean isOf(RunId id, String tenant) {
    return store.holder(id) instanceof KeyHolder.Expired(var tombstone, _)
        && tombstone.tenant().equals(tenant);
  }

  /** Says what has become of a run that is not there. */
  public RuntimeException gone(RunId id) {
    return store.holder(id) instanceof KeyHolder.Expired
        ? new NotPossible(
            "run %s has expired: its journal is gone, and with it what a replay would go on from. Start its flow under another key"
                .formatted(id))
        : new NotFound("there is no run " + id);
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
}
