package dev.hapax.testkit.simulation;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import dev.hapax.store.JobReads;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of jobs, with the trouble of their store. */
record SimulatedJobs(StoreTrouble trouble, JobReads durable) implements JobReads {

  @Override
  public @Nullable JobRecord find(String tenant, String id) {
    return trouble.<@Nullable JobRecord>read("job", 0, () -> durable.find(tenant, id));
  }

  @Override
  public List<JobRecord> list(String tenant, @Nullable Long before, int limit) {
    return trouble.read("jobs", 0, () -> durable.list(tenant, before, limit));
  }

  @Override
  public List<JobRecord> createdBefore(String tenant, Instant time, int limit) {
    return trouble.read("oldJobs", 0, () -> durable.createdBefore(tenant, time, limit));
  }

  @Override
  public List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit) {
    return trouble.read("jobItems", after, () -> durable.items(job, state, after, limit));
  }
}
