package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.ReplayPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan of a replay, or what came of it.
 *
 * @param plan the id of the plan, if this is one
 * @param items one page of the effects of its runs
 * @param next of the next page of effects
 * @param runs what the plan says about each run
 * @param id of the plan that was applied, if one was
 * @param done how many runs go on
 * @param failed how many do not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplayView(
    @Nullable String plan,
    @Nullable String id,
    @Nullable String kind,
    @Nullable String state,
    ReplayPlan.Totals totals,
    @Nullable List<RunLine> runs,
    @Nullable List<ItemLine> items,
    @Nullable String next,
    @Nullable Long done,
    @Nullable Long failed,
    @Nullable List<Result> results) {

  /**
   * A run of the plan.
   *
   * @param release on which it goes on
   * @param ends where the plan ends before the run does, and why
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RunLine(String run, int release, @Nullable String ends) {}

  /** An effect of the plan. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ItemLine(
      String run,
      String step,
      @Nullable String item,
      String decision,
      String name,
      @Nullable String key,
      @Nullable String wireKey,
      @Nullable Integer revision,
      @Nullable String effect,
      @Nullable String firstRun,
      @JsonInclude @Nullable @JsonRawValue String request,
      @Nullable List<String> dependsOn,
      @Nullable String note) {
    static ItemLine of(String run, ReplayPlan.Item item, boolean showsRequest) {
      return new ItemLine(
          run,
          item.step(),
          item.item(),
          item.decision().word(),
          item.name(),
          item.key(),
          item.wireKey(),
          item.revision(),
          item.effect(),
          item.firstRun(),
          showsRequest ? item.request() : null,
          item.dependsOn(),
          item.note());
    }
  }

  /**
   * What came of one run.
   *
   * @param state done or failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Result(
      String run, String state, @Nullable String problem, @Nullable String detail) {}

  /**
   * A page of a plan.
   *
   * @param showsRequests whether the reader may see what would be sent
   */
  public static ReplayView planned(
      String plan, List<ReplayPlan> runs, int after, int limit, boolean showsRequests) {
    var lines = new ArrayList<ItemLine>();
    runs.forEach(
        run -> run.items().forEach(item -> lines.add(ItemLine.of(run.run(), item, showsRequests))));
    int from = Math.min(after, lines.size());
    int to = Math.min(from + limit, lines.size());
    return new ReplayView(
        plan,
        null,
        null,
        null,
        totals(runs),
        runs.stream().map(run -> new RunLine(run.run(), run.release(), run.ends())).toList(),
        List.copyOf(lines.subList(from, to)),
        to < lines.size() ? Integer.toString(to) : null,
        null,
        null,
        null);
  }

  /** What came of a plan. */
  public static ReplayView applied(String plan, List<ReplayPlan> runs, List<Result> results) {
    long done = results.stream().filter(one -> one.state().equals("done")).count();
    return new ReplayView(
        null,
        plan,
        "replay",
        "done",
        totals(runs),
        null,
        null,
        null,
        done,
        results.size() - done,
        List.copyOf(results));
  }

  private static ReplayPlan.Totals totals(List<ReplayPlan> runs) {
    return runs.stream()
        .map(ReplayPlan::totals)
        .reduce(new ReplayPlan.Totals(0, 0, 0, 0, 0), ReplayPlan.Totals::plus);
  }
}
