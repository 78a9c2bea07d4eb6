package dev.hapax.flow;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Work on many runs, effects or events that a person asked for once. It survives restarts, and
 * records a result for each item.
 *
 * @param kind the name of its {@link JobKind}
 * @param spec what was asked for, as JSON text
 * @param totals what it has found so far: {@code items}, and the counts of its kind
 * @param rate the most items that it acts on in a second
 * @param appliedBy who let it act; null for a plan
 * @param problem why it failed, or what it waits for
 */
public record Job(
    String id,
    String tenant,
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
    @Nullable String problem) {
  /** The total that every kind has. */
  public static final String ITEMS = "items";

  public Job {
    totals = Collections.unmodifiableMap(new TreeMap<>(totals));
  }

  /** How many items it has found so far. */
  public long items() {
    return totals.getOrDefault(ITEMS, 0L);
  }

  /** The person whose decision it carries out, and the job, for the histories of its subjects. */
  public String actor() {
    return "%s, job %s".formatted(appliedBy == null ? createdBy : appliedBy, id);
  }
}
