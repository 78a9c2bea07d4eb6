package dev.hapax.run;

import dev.hapax.flow.Job;
import dev.hapax.flow.JobState;
import dev.hapax.json.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job as it is stored. Every write names the version that it has read, so that of two writers one
 * looks again.
 *
 * @param number its place in the order of creation
 * @param turn which of its runs may work on it; a run of an earlier turn does nothing
 * @param isSelected whether all items are found
 * @param place where the selection goes on; null at its beginning
 * @param version the operation that wrote it; 0 before it is written
 */
public record JobRecord(
    long number,
    String tenant,
    String id,
    String kind,
    JobState state,
    String spec,
    Map<String, Long> totals,
    long done,
    long failed,
    long skipped,
    int rate,
    String createdBy,
    @Nullable String appliedBy,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String problem,
    int turn,
    boolean isSelected,
    @Nullable String place,
    long version) {

  public JobRecord {
    totals = Collections.unmodifiableMap(new TreeMap<>(totals));
  }

  /** What people see of it. */
  public Job toJob() {
    return new Job(
        id, tenant, kind, state, spec, totals, done, failed, skipped, rate, createdBy, appliedBy,
        createdAt, endedAt, problem);
  }

  /** The totals as they are stored. */
  public String totalsText() {
    return Json.write(totals);
  }

  /** Reads {@link #totalsText}. */
  public static Map<String, Long> totals(String stored) {
    Map<String, Long> totals = new TreeMap<>();
    for (Map.Entry<String, JsonNode> total : Json.tree(stored).properties()) {
      totals.put(total.getKey(), total.getValue().asLong());
    }
    return totals;
  }

  public JobEdit edit() {
    return new JobEdit(this);
  }

  public JobRecord writtenBy(long op) {
    return edit().version(op).toRecord();
  }
}
