package dev.hapax.store;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards every question about jobs. */
record ForwardingJobs(ForwardingStore store) implements JobReads {

  @Override
  public @Nullable JobRecord find(String tenant, String id) {
    return store.<@Nullable JobRecord>call("job", () -> store.to().jobs().find(tenant, id));
  }

  @Override
  public List<JobRecord> list(String tenant, @Nullable Long before, int limit) {
    return store.call("jobs", () -> store.to().jobs().list(tenant, before, limit));
  }

  @Override
  public List<JobRecord> createdBefore(String tenant, Instant time, int limit) {
    return store.call("jobs", () -> store.to().jobs().createdBefore(tenant, time, limit));
  }

  @Override
  public List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit) {
    return store.call("jobItems", () -> store.to().jobs().items(job, state, after, limit));
  }
}
