package dev.hapax;

import dev.hapax.engine.start.RunStarts;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.run.NewRun;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of the instants that are due may start their runs by the quotas of their tenant: the first
 * ones. The others are refused for good, and the schedule says so.
 *
 * @param runs that may start
 * @param refused the instants after them
 * @param note about the refused ones, for people; null if there are none
 */
record QuotaOfInstants(List<NewRun> runs, List<Instant> refused, @Nullable String note) {

  /** Takes the right to start these runs, one for each instant. */
  static QuotaOfInstants of(RunStarts starts, String tenant, List<Instant> due, List<NewRun> runs) {
    if (runs.isEmpty()) {
      return new QuotaOfInstants(runs, List.of(), null);
    }
    var grant = starts.take(tenant, runs.size(), bytes(runs));
    QuotaExceeded refusal = grant.refusal();
    if (refusal == null) {
      return new QuotaOfInstants(runs, List.of(), null);
    }
    List<Instant> refused = due.subList(grant.runs(), due.size());
    return new QuotaOfInstants(
        runs.subList(0, grant.runs()),
        refused,
        "refused %s to %s by quota %s: %s. Start them later with a backfill"
            .formatted(
                refused.getFirst(), refused.getLast(), refusal.quota(), refusal.getMessage()));
  }

  /**
   * Takes the right to start all of these runs.
   *
   * @throws QuotaExceeded if there is none for some of them: then nothing is taken
   */
  static void takeAll(RunStarts starts, String tenant, List<NewRun> runs) {
    var grant = starts.take(tenant, runs.size(), bytes(runs));
    QuotaExceeded refusal = grant.refusal();
    if (refusal != null) {
      starts.giveBack(tenant, grant.runs());
      throw refusal;
    }
  }

  private static long bytes(List<NewRun> runs) {
    return runs.stream().mapToLong(run -> run.input().length()).sum();
  }
}
