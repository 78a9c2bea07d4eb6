package dev.hapax.store;

import dev.hapax.flow.RunStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of all tenants is open: has not ended, or waits for someone.
 *
 * @param runs how many there are by status; statuses without runs are left out
 * @param byFlow the same by flow and status, of the newest runs of each status
 * @param doubts effects whose outcome is unknown, and which their guard will settle
 * @param reviews effects that a person must settle
 * @param approvals questions without an answer
 * @param oldestApproval when the oldest of them was asked; null if there is none
 * @param inLine how many runs wait in line for a slot or a lock
 */
public record OpenWork(
    List<Runs> runs,
    List<Runs> byFlow,
    long doubts,
    long reviews,
    long approvals,
    @Nullable Instant oldestApproval,
    long inLine) {

  /**
   * So many runs.
   *
   * @param flow null for all flows
   */
  public record Runs(@Nullable String flow, RunStatus status, long count) {}
}
