package dev.hapax.app.release;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a flow.
 *
 * @param live the number of the release that new runs start on; 0 if there is none yet
 * @param newest the number of the last release; 0 if there is none yet
 * @param promotedAt when the live one became so
 * @param labels of the live one; null if there is none, or it became live before there were labels
 */
public record FlowState(
    FlowName name,
    int live,
    int newest,
    @Nullable Instant promotedAt,
    @Nullable String promotedBy,
    @Nullable List<String> labels) {
  static FlowState of(FlowName name) {
    return new FlowState(name, 0, 0, null, null, null);
  }

  FlowState released(int number) {
    return new FlowState(name, live, Math.max(newest, number), promotedAt, promotedBy, labels);
  }

  /** The same one, made live again, keeps the first time and author. */
  FlowState promoted(int number, Instant at, String by, List<String> itsLabels) {
    return number == live && itsLabels.equals(labelsOrNone())
        ? this
        : new FlowState(name, number, Math.max(newest, number), at, by, itsLabels);
  }

  List<String> labelsOrNone() {
    return labels == null ? List.of() : labels;
  }
}
