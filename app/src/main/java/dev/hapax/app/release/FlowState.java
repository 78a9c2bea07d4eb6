package dev.hapax.app.release;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a flow.
 *
 * @param live the number of the release that new runs start on; 0 if there is none
 * @param newest the number of the last release; 0 if there is none yet
 * @param promotedAt when the live one became so
 * @param labels of the live one, or of the last live one if the flow is retired; null if there is
 *     none, or it became live before there were labels
 * @param retired null unless the flow is retired
 */
public record FlowState(
    FlowName name,
    int live,
    int newest,
    @Nullable Instant promotedAt,
    @Nullable String promotedBy,
    @Nullable List<String> labels,
    @Nullable Retirement retired) {
  static FlowState of(FlowName name) {
    return new FlowState(name, 0, 0, null, null, null, null);
  }

  FlowState released(int number) {
    return new FlowState(
        name, live, Math.max(newest, number), promotedAt, promotedBy, labels, retired);
  }

  /** The same one, made live again, keeps the first time and author. */
  FlowState promoted(int number, Instant at, String by, List<String> itsLabels) {
    return number == live && itsLabels.equals(labelsOrNone())
        ? this
        : new FlowState(name, number, Math.max(newest, number), at, by, itsLabels, null);
  }

  /** Retired again, it keeps the first time and author. It keeps its labels: they permit. */
  FlowState retired(Instant at, String by) {
    return live == 0
        ? this
        : new FlowState(name, 0, newest, null, null, labels, new Retirement(live, newest, at, by));
  }

  /** Whether a release is live, or was when the flow was retired: its labels count. */
  boolean hasBeenLive() {
    return live != 0 || retired != null;
  }

  List<String> labelsOrNone() {
    return labels == null ? List.of() : labels;
  }
}
