package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a job acts on, and what came of it.
 *
 * @param position its place in the job, counted from 1
 * @param subject the id of a run, an effect, an event or a message
 * @param flow that it belongs to; null if it belongs to none
 * @param key the business key, for people
 * @param detail what its kind noted when it was selected, as JSON text
 * @param problem why it failed or was skipped
 * @param at when its state became final
 */
public record JobItem(
    long position,
    String subject,
    @Nullable String flow,
    @Nullable String key,
    JobItemState state,
    @Nullable String detail,
    @Nullable String problem,
    @Nullable Instant at) {

  /** The same item without the values of its run or effect. */
  public JobItem erased() {
    return new JobItem(position, subject, flow, null, state, null, Erased.text(problem), at);
  }

  /** The same item while it is being acted on. */
  public JobItem doing() {
    return new JobItem(position, subject, flow, key, JobItemState.DOING, detail, null, null);
  }

  /**
   * The same item with its result.
   *
   * @param note replaces the detail; null keeps it
   */
  public JobItem ended(
      JobItemState became, @Nullable String why, @Nullable String note, Instant when) {
    return new JobItem(
        position, subject, flow, key, became, note == null ? detail : note, why, when);
  }
}
