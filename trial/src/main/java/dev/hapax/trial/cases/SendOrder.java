package dev.hapax.trial.cases;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a report lists requests: that of their sending, except for requests of steps
 * that run at the same time, whose order is chance. Those are sorted by item and place in the file.
 * Deliveries of messages happen beside the run, and come last.
 */
final class SendOrder {
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, String> groups = new HashMap<>();

  SendOrder(List<FlowFolder.Entry> flows) {
    for (FlowFolder.Entry entry : flows) {
      FlowFile file = Objects.requireNonNull(entry.checked().file());
      file.steps().forEach(step -> add(file.name(), step, null));
    }
  }

  private void add(String flow, FlowStep step, @Nullable String group) {
    String id = flow + "/" + step.id();
    places.put(id, places.size());
    String own = group == null && isAtOnce(step) ? id : group;
    if (own != null) {
      groups.put(id, own);
    }
    step.inner().forEach(steps -> steps.forEach(inner -> add(flow, inner, own)));
  }

  private static boolean isAtOnce(FlowStep step) {
    FlowStepKind kind = step.kind();
    boolean isParallel =
        kind.branches().size() > 1
            && !kind.takesOneBranch()
            && !kind.isBlock()
            && !kind.isRepeated();
    return isParallel || (step.forEach() != null && step.forEach().atOnce() > 1);
  }

  List<SandboxRequest> of(List<SandboxRequest> requests) {
    var ordered = new ArrayList<SandboxRequest>();
    var together = new ArrayList<SandboxRequest>();
    var deliveries = new ArrayList<SandboxRequest>();
    String group = null;
    for (SandboxRequest request : requests) {
      if (request.from().role() == RequestOrigin.Role.DELIVERY) {
        deliveries.add(request);
        continue;
      }
      String next =
          request.from().role() == RequestOrigin.Role.UNDO ? null : groups.get(idOf(request));
      if (!Objects.equals(next, group) || next == null) {
        flush(together, ordered);
      }
      group = next;
      together.add(request);
    }
    flush(together, ordered);
    flush(deliveries, ordered);
    return ordered;
  }

  private static String idOf(SandboxRequest request) {
    return request.from().flow() + "/" + request.from().stepInFile();
  }

  private void flush(List<SandboxRequest> together, List<SandboxRequest> ordered) {
    together.sort(
        Comparator.comparing((SandboxRequest request) -> String.valueOf(request.from().item()))
            .thenComparingInt(request -> places.getOrDefault(idOf(request), 0))
            .thenComparing(request -> request.from().key())
            .thenComparingInt(SandboxRequest::number));
    ordered.addAll(together);
    together.clear();
  }
}
