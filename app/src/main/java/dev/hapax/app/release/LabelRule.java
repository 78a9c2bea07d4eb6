package dev.hapax.app.release;

import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a token that is limited to labels may do to a flow that it reaches by a label. Labels are
 * permissions, so it adds and removes only its own ones, and one of them must remain. A flow that
 * the token may use by its name has no such limit. Reads nothing: callers pass what is stored.
 */
final class LabelRule {
  private LabelRule() {}

  /** The answer for another flow, and for a new one whose file has no label of the token. */
  static Problem noSuchFlow(FlowName flow, FlowLimit limit) {
    return Problem.notFound(
        "there is no flow '%s' among the flows of this token (%s). The file of a new flow needs one of its labels"
            .formatted(flow.flow(), limit));
  }

  /** Refuses a file that changes labels of a flow which the token may use. */
  static void refuseOtherLabels(
      FlowName flow, List<String> before, List<String> after, FlowLimit limit) {
    if (limit.allowsName(flow.flow())) {
      return;
    }
    if (!limit.allowsAny(before)) { // its labels have changed since the call was admitted
      throw noSuchFlow(flow, limit);
    }
    refuseAddedOrRemoved(flow, before, after, limit);
  }

  /** As above, for the file of a flow that is new. */
  static void refuseOtherLabels(FlowName flow, List<String> after, FlowLimit limit) {
    if (limit.allowsName(flow.flow())) {
      return;
    }
    if (!limit.allowsAny(after)) {
      throw noSuchFlow(flow, limit);
    }
    refuseAddedOrRemoved(flow, List.of(), after, limit);
  }

  private static void refuseAddedOrRemoved(
      FlowName flow, List<String> before, List<String> after, FlowLimit limit) {
    if (!limit.allowsAny(after)) {
      throw Problem.forbidden(
          "the file of %s has no label of this token (%s), so the token would lose the flow. Keep one of its labels, or use a token without this limit"
              .formatted(flow, limit));
    }
    refuse(flow, "adds", "to", foreign(after, before, limit), limit);
    refuse(flow, "removes", "from", foreign(before, after, limit), limit);
  }

  private static Set<String> foreign(List<String> here, List<String> there, FlowLimit limit) {
    var labels = new TreeSet<>(here);
    labels.removeAll(new HashSet<>(there));
    labels.removeAll(new HashSet<>(limit.labels()));
    return labels;
  }

  private static void refuse(
      FlowName flow, String verb, String preposition, Set<String> foreign, FlowLimit limit) {
    if (!foreign.isEmpty()) {
      throw Problem.forbidden(
          "the file %s %s %s %s: other tokens are limited to these labels, and this token only to %s. Use a token without this limit"
              .formatted(verb, foreign, preposition, flow, limit));
    }
  }
}
