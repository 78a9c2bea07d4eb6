package dev.hapax.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.PlannedReplay;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.StepDifference;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one run, as an item of a job keeps it. The digest decides whether the plan still
 * holds; the effects are for people, and of a long plan only the first ones are kept.
 *
 * @param more how many effects are not kept
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReplayDetail(
    int release,
    @Nullable List<StepDifference> differences,
    String digest,
    @Nullable String ends,
    ReplayPlan.Totals totals,
    List<ReplayPlan.Item> effects,
    int more) {
  /** A job reads 200 items at once. */
  private static final int MOST_CHARACTERS = 16_000;

  private static final int LONGEST_REQUEST = 4_000;

  /** An effect without its request. */
  private static final int ABOUT_AN_EFFECT = 400;

  /** So many differing steps of another release are kept. */
  private static final int MOST_DIFFERENCES = 100;

  static ReplayDetail of(ReplayPlan plan, int share) {
    int budget = MOST_CHARACTERS * share;
    List<ReplayPlan.Item> effects = new ArrayList<>();
    for (ReplayPlan.Item item : plan.items()) {
      String request = item.request();
      int size = request == null ? 0 : request.length();
      boolean isKept = size <= LONGEST_REQUEST * share && size + ABOUT_AN_EFFECT <= budget;
      budget -= ABOUT_AN_EFFECT + (isKept ? size : 0);
      if (budget < 0) {
        break;
      }
      effects.add(isKept ? item : withoutRequest(item));
    }
    return new ReplayDetail(
        plan.release(),
        plan.differences() == null
            ? null
            : plan.differences().stream().limit(MOST_DIFFERENCES).toList(),
        plan.digest(),
        plan.ends(),
        plan.totals(),
        effects,
        plan.items().size() - effects.size());
  }

  private static ReplayPlan.Item withoutRequest(ReplayPlan.Item item) {
    return new ReplayPlan.Item(
        item.step(),
        item.item(),
        item.type(),
        item.decision(),
        item.name(),
        item.key(),
        item.wireKey(),
        item.revision(),
        item.effect(),
        item.firstRun(),
        null,
        item.dependsOn(),
        item.note() == null ? "its request is long: plan this run alone to see it" : item.note());
  }

  static @Nullable ReplayDetail read(@Nullable String detail) {
    return detail == null ? null : Json.read(detail, ReplayDetail.class);
  }

  /** What people see of an item. */
  static PlannedReplay planned(JobItem item) {
    ReplayDetail detail = read(item.detail());
    return new PlannedReplay(
        item.position(),
        item.subject(),
        item.flow(),
        item.key(),
        item.state(),
        item.problem(),
        detail == null ? null : detail.release(),
        detail == null ? null : detail.differences(),
        detail == null ? null : detail.ends(),
        detail == null ? ReplayPlan.Totals.NONE : detail.totals(),
        detail == null ? List.of() : detail.effects(),
        detail == null ? 0 : detail.more());
  }
}
