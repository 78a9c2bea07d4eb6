package dev.hapax.app.release;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a flow.
 *
 * @param live the number of the release that new runs start on; 0 if there is none yet
 * @param newest the number of the last release; 0 if there is none yet
 * @param promotedAt when the live one became so
 */
public record FlowState(
    FlowName name,
    int live,
    int newest,
    @Nullable Instant promotedAt,
    @Nullable String promotedBy) {
  static FlowState of(FlowName name) {
    return new FlowState(name, 0, 0, null, null);
  }

  FlowState released(int number) {
    return new FlowState(name, live, Math.max(newest, number), promotedAt, promotedBy);
  }

  FlowState promoted(int number, Instant at, String by) {
    return new FlowState(name, number, Math.max(newest, number), at, by);
  }
}
