package dev.hapax.store;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads jobs and their items. */
public interface JobReads {
  @Nullable JobRecord find(String tenant, String id);

  /**
   * Newest first.
   *
   * @param before only jobs with a smaller number; null for all
   */
  List<JobRecord> list(String tenant, @Nullable Long before, int limit);

  /** The oldest jobs that were created before this time, the oldest first. */
  List<JobRecord> createdBefore(String tenant, Instant time, int limit);

  /**
   * In the order of their positions.
   *
   * @param state only items in this state; null for all
   * @param after only items behind this position; 0 for all
   */
  List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit);
}
