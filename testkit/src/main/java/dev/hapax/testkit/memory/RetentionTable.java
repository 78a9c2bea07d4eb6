package dev.hapax.testkit.memory;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.Tombstone;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Until when runs are kept, and the tombstones of those that have expired. */
final class RetentionTable {
  private final MemoryTables tables;
  private final NavigableMap<Long, Grave> graves = new TreeMap<>();
  private final Map<RunId, Long> gravesById = new HashMap<>();
  private final NavigableSet<Due> expiring =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private final Map<Long, Instant> expiresAt = new HashMap<>();
  private final Map<Named, Duration> keep = new HashMap<>();
  private final NavigableSet<Long> forgotten = new TreeSet<>();
  private final Map<Long, Long> successors = new HashMap<>();
  private final NavigableSet<Long> renewing = new TreeSet<>();
  private final Map<String, Long> counts = new HashMap<>();

  RetentionTable(MemoryTables tables) {
    this.tables = tables;
  }

  /** The tombstone of a run, and until when it is kept. */
  record Grave(Tombstone tombstone, Instant until) {}

  NavigableMap<Long, Grave> graves() {
    return graves;
  }

  void put(Grave grave) {
    tables.put(graves, grave.tombstone().number(), grave);
    tables.put(gravesById, grave.tombstone().id(), grave.tombstone().number());
  }

  void removeGrave(Grave grave) {
    long number = grave.tombstone().number();
    tables.remove(graves, number);
    tables.remove(gravesById, grave.tombstone().id());
    tables.remove(forgotten, number);
    tables.remove(successors, number);
    tables.remove(renewing, number);
  }

  /** Returns ended runs, the first to expire first. */
  NavigableSet<Due> expiring() {
    return expiring;
  }

  @Nullable Instant expiresAt(long run) {
    return expiresAt.get(run);
  }

  void setExpiry(long run, @Nullable Instant at) {
    Instant before = expiresAt.get(run);
    if (before != null) {
      tables.remove(expiring, new Due(before, run));
      tables.remove(expiresAt, run);
    }
    if (at != null) {
      tables.add(expiring, new Due(at, run));
      tables.put(expiresAt, run, at);
    }
  }

  /** A flow of a tenant, or of all tenants. */
  private record Named(String tenant, String flow) {}

  Duration keep(String tenant, String flow) {
    Duration forAll = keep.getOrDefault(new Named(RetentionRule.ALL, flow), Flow.DEFAULT_RETENTION);
    return keep.getOrDefault(new Named(tenant, flow), forAll);
  }

  void putKeep(String tenant, String flow, Duration time) {
    tables.put(keep, new Named(tenant, flow), time);
  }

  @Nullable KeyHolder holder(RunId id) {
    Run run = tables.run(id);
    Long number = run == null ? gravesById.get(id) : Long.valueOf(run.number());
    return number == null ? null : holder(number);
  }

  private @Nullable KeyHolder holder(long number) {
    Run run = tables.run(number);
    if (run != null) {
      return new KeyHolder.Present(run, forgotten.contains(number));
    }
    Grave found = graves.get(number);
    return found == null
        ? null
        : new KeyHolder.Expired(found.tombstone(), forgotten.contains(number));
  }

  /** Returns the last successor of this run that still exists. */
  @Nullable Generation newest(long first) {
    Generation newest = null;
    Long next = successors.get(first);
    for (int number = 1; next != null; number++) {
      KeyHolder holder = holder(next);
      if (holder == null) {
        return newest;
      }
      newest = new Generation(number, renewing.contains(next), holder);
      next = successors.get(next);
    }
    return newest;
  }

  /** Returns the public id of a run that exists or existed. */
  String idOf(long number) {
    Run run = tables.run(number);
    if (run != null) {
      return run.id().toString();
    }
    Grave grave = graves.get(number);
    return grave == null ? RetentionRule.NOBODY : grave.tombstone().id().toString();
  }

  void forget(long run) {
    tables.add(forgotten, run);
  }

  /**
   * Records a successor. The tombstone of the first run stays as long as anything of the second.
   */
  void succeed(long predecessor, long run, boolean renews) {
    tables.put(successors, predecessor, run);
    if (renews) {
      tables.add(renewing, run);
    }
  }

  boolean hasSuccessor(long run) {
    Long next = successors.get(run);
    return next != null && (tables.run(next) != null || graves.containsKey(next));
  }

  /** Whether the run, or one that called it, was admitted because the key's retention was over. */
  boolean renews(long run) {
    Run row = tables.run(run);
    Long parent = row == null ? null : row.parent();
    return renewing.contains(run) || (parent != null && renews(parent));
  }

  /** Returns when an expired run ended; null if it has not expired. */
  @Nullable Instant expiredEnd(long run) {
    Grave grave = graves.get(run);
    return grave == null ? null : grave.tombstone().endedAt();
  }

  long count(String what) {
    return counts.getOrDefault(what, 0L);
  }

  void count(String what, long more) {
    tables.put(counts, what, count(what) + more);
  }
}
