package dev.hapax.store.jdbc;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import dev.hapax.store.JobReads;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries on {@code job} and {@code job_item}. Safe for many threads. */
final class JobReader implements JobReads {
  private static final String JOB = "SELECT " + JobMapping.COLUMNS + " FROM job WHERE ";

  private static final String LIST =
      JOB + "tenant = :tenant AND number < :before ORDER BY number DESC LIMIT :limit";

  private static final String OLDEST =
      JOB + "tenant = :tenant AND number < :before ORDER BY number LIMIT :limit";

  private static final String ITEMS =
      "SELECT "
          + JobMapping.ITEM_COLUMNS
          + " FROM job_item WHERE job = :job AND position > :after ORDER BY position LIMIT :limit";

  private static final String ITEMS_IN_STATE =
      "SELECT "
          + JobMapping.ITEM_COLUMNS
          + " FROM job_item WHERE job = :job AND state = :state AND position > :after"
          + " ORDER BY position LIMIT :limit";

  private final WaitReader.Connections connections;

  JobReader(WaitReader.Connections connections) {
    this.connections = connections;
  }

  @Override
  public @Nullable JobRecord find(String tenant, String id) {
    return connections.<@Nullable JobRecord>lend(
        session -> {
          try (var query = session.prepare(JOB + "tenant = :tenant AND id = :id")) {
            return query.with(tenant).with(id).first(JobMapping::job);
          }
        });
  }

  @Override
  public List<JobRecord> list(String tenant, @Nullable Long before, int limit) {
    return jobs(LIST, tenant, before == null ? Long.MAX_VALUE : before, limit);
  }

  @Override
  public List<JobRecord> createdBefore(String tenant, Instant time, int limit) {
    return jobs(OLDEST, tenant, IdSource.firstAt(time), limit);
  }

  private List<JobRecord> jobs(String sql, String tenant, long before, int limit) {
    return connections.lend(
        session -> {
          try (var query = session.prepare(sql)) {
            return query.with(tenant).with(before).with(limit).all(JobMapping::job);
          }
        });
  }

  @Override
  public List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit) {
    return connections.lend(
        session -> {
          try (var query = session.prepare(state == null ? ITEMS : ITEMS_IN_STATE)) {
            Prepared bound = query.with(job);
            if (state != null) {
              bound = bound.with(state.word());
            }
            return bound.with(after).with(limit).all(JobMapping::item);
          }
        });
  }
}
