package dev.hapax.trial.cases;

import dev.hapax.flow.Names;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepVisit;
import dev.hapax.flows.step.StepVisit.Outcome;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which steps and branches the cases have tried. Safe for many threads. */
public final class Coverage {
  private final Set<StepVisit> visits = ConcurrentHashMap.newKeySet();
  private final Set<String> undone = ConcurrentHashMap.newKeySet();

  /**
   * What was tried of one flow.
   *
   * @param missing what was not tried, in words
   */
  public record OfFlow(String flow, int tried, int total, List<String> missing) {}

  void visited(StepVisit visit) {
    visits.add(visit);
  }

  void sent(SandboxRequest request) {
    if (request.from().role() == RequestOrigin.Role.UNDO) {
      undone.add(request.from().flow() + Names.UNDO + request.from().stepInFile());
    }
  }

  /** Returns what was tried of this flow. */
  public OfFlow of(FlowFile file) {
    var missing = new ArrayList<String>();
    int total = 0;
    for (FlowStep step : file.allSteps()) {
      List<Point> points = pointsOf(file.name(), step);
      total += points.size();
      points.stream().filter(point -> !point.isTried()).forEach(p -> missing.add(p.words()));
    }
    return new OfFlow(file.name(), total - missing.size(), total, missing);
  }

  private record Point(boolean isTried, String words) {}

  private List<Point> pointsOf(String flow, FlowStep step) {
    var points = new ArrayList<Point>();
    String name = "%s (line %d)".formatted(step.id(), step.position().line());
    boolean ran = visits.contains(new StepVisit(flow, step.id(), Outcome.RAN));
    if (step.when() == null) {
      points.add(new Point(ran, name));
    } else {
      points.add(new Point(ran, name + " when its condition is true"));
      points.add(
          new Point(
              visits.contains(new StepVisit(flow, step.id(), Outcome.LEFT_OUT)),
              name + " when its condition is false"));
    }
    if (step.onError() == FlowStep.OnError.CONTINUE) {
      points.add(
          new Point(
              visits.contains(new StepVisit(flow, step.id(), Outcome.PASSED_OVER)),
              name + " when it fails"));
    }
    if (step.compensate() != null) {
      points.add(
          new Point(undone.contains(flow + Names.UNDO + step.id()), name + " when it is undone"));
    }
    return points;
  }
}
