package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayPlan.Decision;
import dev.hapax.flow.StepDifference;
import dev.hapax.job.ReplayJob;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A plan of a replay.
 *
 * @param plan its id, which is also the id of its job
 * @param state {@code planning} while it still finds runs, then {@code planned}; later the state of
 *     its job
 * @param totals how many effects have each decision
 * @param found how many runs it has found so far
 * @param skipped how many of them are not replayed; their problems say why
 * @param runs what it says about each run of this page
 * @param items the effects of the runs of this page
 * @param next of the next page
 * @param problem why the runs could not be found
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplayView(
    String plan,
    String state,
    ReplayPlan.Totals totals,
    long found,
    long skipped,
    List<RunLine> runs,
    List<ItemLine> items,
    @JsonInclude @Nullable String next,
    @Nullable String problem) {
  /** The most effects of a page. */
  public static final int PAGE = 200;

  private static final int RUNS = 100;

  /** A cursor holds the position of a run, and how many of its effects were shown. */
  private static final long EFFECTS = 1 << 16;

  /**
   * A run of the plan.
   *
   * @param state open, doing, done, failed or skipped
   * @param release on which it goes on
   * @param differences how the steps of another release differ from those of the run's own; missing
   *     if it stays on its own
   * @param ends where the plan ends before the run does, and why
   * @param more effects that the plan counts, but does not list
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RunLine(
      String run,
      @Nullable String flow,
      @Nullable String key,
      String state,
      @Nullable Integer release,
      @Nullable List<Difference> differences,
      @Nullable String ends,
      @Nullable Integer more,
      @Nullable String problem) {
    static RunLine of(PlannedReplay run) {
      return new RunLine(
          run.run(),
          run.flow(),
          run.key(),
          run.state().word(),
          run.release(),
          Difference.of(run.differences()),
          run.ends(),
          run.more() == 0 ? null : run.more(),
          run.problem());
    }
  }

  /**
   * A step that differs in another release.
   *
   * @param step missing if nothing is known about any step
   * @param change added, removed, changed or unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Difference(@Nullable String step, String change) {
    static @Nullable List<Difference> of(@Nullable List<StepDifference> found) {
      return found == null
          ? null
          : found.stream().map(one -> new Difference(one.step(), one.change().word())).toList();
    }
  }

  /**
   * An effect of the plan, or a message or a child run.
   *
   * @param type effect, message or run
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ItemLine(
      String run,
      String step,
      @Nullable String item,
      String type,
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
          item.type().word(),
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

  /** Reads runs of a plan behind a position. */
  @FunctionalInterface
  public interface Reader {
    List<PlannedReplay> read(long after, int limit);
  }

  /**
   * A page of a plan.
   *
   * @param after the cursor of the page; null for the first one
   * @param most effects of the page
   * @param only effects with this decision; null for all
   * @param showsRequests whether the reader may see what would be sent
   */
  public static ReplayView of(
      Job job,
      Reader reader,
      @Nullable Long after,
      int most,
      @Nullable Decision only,
      boolean showsRequests,
      LongFunction<String> cursor) {
    long from = after == null ? 0 : after / EFFECTS;
    int shown = after == null ? 0 : (int) (after % EFFECTS);
    List<PlannedReplay> found = reader.read(shown > 0 ? from - 1 : from, RUNS + 1);
    var runs = new ArrayList<RunLine>();
    var items = new ArrayList<ItemLine>();
    Long next = null;
    for (int i = 0; i < found.size() && next == null; i++) {
      PlannedReplay run = found.get(i);
      int first = i == 0 ? shown : 0;
      int end = Math.min(run.effects().size(), first + most - items.size());
      runs.add(RunLine.of(run));
      for (ReplayPlan.Item effect : run.effects().subList(Math.min(first, end), end)) {
        if (only == null || effect.decision() == only) {
          items.add(ItemLine.of(run.run(), effect, showsRequests));
        }
      }
      boolean isFull = items.size() >= most || i == RUNS - 1;
      if (end < run.effects().size()) {
        next = run.position() * EFFECTS + end;
      } else if (isFull && i + 1 < found.size()) {
        next = run.position() * EFFECTS;
      }
    }
    return new ReplayView(
        job.id(),
        job.state().word(),
        ReplayPlan.Totals.of(job.totals()),
        job.items(),
        job.skipped(),
        List.copyOf(runs),
        List.copyOf(items),
        next == null ? null : cursor.apply(next),
        job.problem());
  }

  /** What the plan says about a run, as the detail of an item of a job. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Detail(
      int release,
      @Nullable List<Difference> differences,
      @Nullable String ends,
      ReplayPlan.Totals totals,
      List<ItemLine> effects,
      @Nullable Integer more) {}

  /**
   * An item of a job of kind {@code replay}.
   *
   * @param showsRequests whether the reader may see what would be sent
   */
  public static JobView.Result result(JobItem item, boolean showsRequests) {
    PlannedReplay run = ReplayJob.planned(item);
    Integer release = run.release();
    JobView.Result result = JobView.Result.of(item);
    return result.detail(
        release == null
            ? null
            : Json.write(
                new Detail(
                    release,
                    Difference.of(run.differences()),
                    run.ends(),
                    run.totals(),
                    run.effects().stream()
                        .map(effect -> ItemLine.of(run.run(), effect, showsRequests))
                        .toList(),
                    run.more() == 0 ? null : run.more())));
  }
}
