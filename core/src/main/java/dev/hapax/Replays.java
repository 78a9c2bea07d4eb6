package dev.hapax;

import dev.hapax.engine.control.ReplayControl;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays of runs that have ended. A plan says for each effect what would happen, and nothing else
 * is sent.
 *
 * <pre>{@code
 * ReplayPlan plan = hapax.replays().plan(run, ReplayWish.from("invoice"));
 * hapax.replays().apply(plan, "anna", "the price was wrong");
 * }</pre>
 */
public final class Replays {
  private final ReplayControl control;
  private final Function<String, RunId> run;

  /**
   * @param run finds a run of the tenant by its id
   */
  Replays(ReplayControl control, Function<String, RunId> run) {
    this.control = control;
    this.run = run;
  }

  /**
   * Says what the replay of a run would do with each of its effects; sends and writes nothing.
   *
   * @throws dev.hapax.flow.NotPossible if the run cannot be replayed; the message says what to do
   */
  public ReplayPlan plan(String runId, ReplayWish wish) {
    return control.plan(run.apply(runId), wish);
  }

  /**
   * Does exactly what the plan says: the run goes on under its id and key. A send that the plan
   * does not have stops the run with {@code plan-stale}.
   *
   * @param reason which the history keeps
   * @throws dev.hapax.flow.StalePlan if the run or one of the effects has changed since
   */
  public void apply(ReplayPlan plan, String actor, @Nullable String reason) {
    control.apply(run.apply(plan.run()), plan, actor, reason);
  }
}
