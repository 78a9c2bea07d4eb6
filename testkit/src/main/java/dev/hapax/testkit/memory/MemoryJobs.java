package dev.hapax.testkit.memory;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import dev.hapax.store.JobReads;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of jobs, under the store's lock. */
final class MemoryJobs implements JobReads {
  private final Object lock;
  private final MemoryTables tables;

  MemoryJobs(Object lock, MemoryTables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public @Nullable JobRecord find(String tenant, String id) {
    synchronized (lock) {
      return tables.jobs().find(tenant, id);
    }
  }

  @Override
  public List<JobRecord> list(String tenant, @Nullable Long before, int limit) {
    synchronized (lock) {
      return tables.jobs().list(tenant, before, limit);
    }
  }

  @Override
  public List<JobRecord> createdBefore(String tenant, Instant time, int limit) {
    synchronized (lock) {
      return tables.jobs().createdBefore(tenant, time, limit);
    }
  }

  @Override
  public List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit) {
    synchronized (lock) {
      return tables.jobs().items(job, state, after, limit);
    }
  }
}
