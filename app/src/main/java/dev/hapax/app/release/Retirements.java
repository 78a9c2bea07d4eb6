package dev.hapax.app.release;

import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Problem;
import dev.hapax.flows.BadFlowFile;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Retires flows: no release is live, so nothing starts them. Their runs go on on their releases,
 * and everything stays in the store. Safe for many threads and nodes.
 */
final class Retirements {
  private static final String STILL_STARTED = "unknown-flow";

  private final Releases releases;
  private final Clock clock;

  Retirements(Releases releases, Clock clock) {
    this.releases = releases;
    this.clock = clock;
  }

  /** A flow that is retired now, its runs, and warnings about flows that still start it. */
  record NowRetired(FlowState state, List<OpenRuns> runs, List<Finding> findings) {}

  /**
   * Retires a flow; repeated, changes nothing.
   *
   * @param allowMissing whether other live flows may still start it
   * @param mayUse whether the caller may see a flow
   */
  NowRetired retire(FlowName flow, boolean allowMissing, Actor actor, Predicate<String> mayUse) {
    FlowState state = releases.state(flow);
    if (!state.hasBeenLive()) {
      throw Problem.notPossible(
          "%s has no live release, so there is nothing to retire".formatted(flow));
    }
    List<Finding> starters =
        state.live() == 0
            ? List.of()
            : starters(flow.tenant(), Set.of(flow.flow()), _ -> true, mayUse);
    if (!starters.isEmpty() && !allowMissing) {
      throw Problem.findings(
          "other live flows start %s; nothing was changed. Change or retire them first, or say allowMissing (--allow-missing)"
              .formatted(flow),
          starters.stream().map(Finding::json).toList());
    }
    releases.book().change(flow, now -> now.retired(clock.now(), actor.name()));
    releases.live().changed(flow);
    releases.labels().changed(flow);
    releases.tell(flow);
    return new NowRetired(
        releases.state(flow),
        OpenRuns.of(releases.live().openRuns(flow, OpenRuns.MOST_COUNTED)),
        starters.stream().map(Finding::asWarning).toList());
  }

  /**
   * Finds live flows that start flows which are to be retired.
   *
   * @param counts whether a live flow is looked at
   * @param mayUse whether the caller may see a flow
   */
  List<Finding> starters(
      String tenant, Set<String> retiring, Predicate<String> counts, Predicate<String> mayUse) {
    List<Finding> found = new ArrayList<>();
    releases
        .allOf(tenant)
        .filter(state -> state.live() != 0 && counts.test(state.name().flow()))
        .filter(state -> !retiring.contains(state.name().flow()))
        .forEach(
            state -> {
              LoadedFlow loaded = loaded(state);
              Set<String> started = loaded == null ? Set.of() : startedBy(loaded.file());
              started.stream()
                  .filter(retiring::contains)
                  .map(one -> finding(state.name().flow(), one, mayUse))
                  .forEach(found::add);
            });
    return found;
  }

  private @Nullable LoadedFlow loaded(FlowState state) {
    try {
      return releases.live().load(state.name(), state.live());
    } catch (BadFlowFile e) {
      return null; // this version cannot run it
    }
  }

  private static Set<String> startedBy(FlowFile file) {
    var started = new TreeSet<>(file.notifiedFlows());
    for (FlowStep step : file.allSteps()) {
      started.addAll(step.kind().startedFlows());
    }
    return started;
  }

  private static Finding finding(String flow, String started, Predicate<String> mayUse) {
    boolean isShown = mayUse.test(flow);
    return new Finding(
        STILL_STARTED,
        Level.ERROR,
        new Position((isShown ? flow : started) + ".yaml", 1, 1),
        "%s starts flow '%s', which would have no live release"
            .formatted(isShown ? "flow '%s'".formatted(flow) : "another live flow", started),
        "Keep '%s', or change the flow that starts it first.".formatted(started));
  }
}
