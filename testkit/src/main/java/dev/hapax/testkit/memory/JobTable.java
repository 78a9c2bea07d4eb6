package dev.hapax.testkit.memory;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Change;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs and their items. */
final class JobTable {
  private final MemoryTables tables;
  private final NavigableMap<Long, JobRecord> jobs = new TreeMap<>();
  private final NavigableMap<Place, JobItem> items =
      new TreeMap<>(Comparator.comparingLong(Place::job).thenComparingLong(Place::position));

  JobTable(MemoryTables tables) {
    this.tables = tables;
  }

  @Nullable JobRecord find(String tenant, String id) {
    return jobs.values().stream()
        .filter(job -> job.tenant().equals(tenant) && job.id().equals(id))
        .findFirst()
        .orElse(null);
  }

  List<JobRecord> list(String tenant, @Nullable Long before, int limit) {
    return jobs
        .headMap(before == null ? Long.MAX_VALUE : before, false)
        .descendingMap()
        .values()
        .stream()
        .filter(job -> job.tenant().equals(tenant))
        .limit(limit)
        .toList();
  }

  List<JobRecord> createdBefore(String tenant, Instant time, int limit) {
    return jobs.headMap(IdSource.firstAt(time), false).values().stream()
        .filter(job -> job.tenant().equals(tenant))
        .limit(limit)
        .toList();
  }

  List<JobItem> items(long job, @Nullable JobItemState state, long after, int limit) {
    return items
        .subMap(new Place(job, after), false, new Place(job, Long.MAX_VALUE), true)
        .values()
        .stream()
        .filter(item -> state == null || item.state() == state)
        .limit(limit)
        .toList();
  }

  /** Returns whether the change holds. */
  boolean put(Change.PutJob change, long op) {
    JobRecord row = change.job();
    JobRecord present = find(row.tenant(), row.id());
    if (!change.holdsAt(present == null ? 0 : present.version(), op)) {
      return false;
    }
    tables.put(jobs, present == null ? row.number() : present.number(), row.writtenBy(op));
    return true;
  }

  void put(Change.PutJobItems change) {
    for (JobItem item : change.items()) {
      tables.put(items, new Place(change.job(), item.position()), item);
    }
  }

  void remove(Change.RemoveJob change) {
    JobRecord job = jobs.get(change.job());
    if (job != null && job.tenant().equals(change.tenant())) {
      removeItems(job.number(), change.most());
      removeIfEmpty(job.number());
    }
  }

  void erase(Change.EraseMentions change) {
    for (JobRecord job : list(change.tenant(), null, Integer.MAX_VALUE)) {
      for (JobItem item : items(job.number(), null, 0, Integer.MAX_VALUE)) {
        if (change.subjects().contains(item.subject())) {
          tables.put(items, new Place(job.number(), item.position()), item.erased());
        }
      }
    }
  }

  void erase(String tenant, int most) {
    int rest = most;
    for (JobRecord job : list(tenant, null, Integer.MAX_VALUE)) {
      rest -= removeItems(job.number(), rest);
    }
    list(tenant, null, Integer.MAX_VALUE).stream()
        .map(JobRecord::number)
        .limit(most)
        .forEach(this::removeIfEmpty);
  }

  long count(String tenant) {
    return list(tenant, null, Integer.MAX_VALUE).stream()
        .mapToLong(job -> 1L + items(job.number(), null, 0, Integer.MAX_VALUE).size())
        .sum();
  }

  private int removeItems(long job, int most) {
    List<JobItem> going = items(job, null, 0, most);
    going.forEach(item -> tables.remove(items, new Place(job, item.position())));
    return going.size();
  }

  private void removeIfEmpty(long job) {
    if (items(job, null, 0, 1).isEmpty()) {
      tables.remove(jobs, job);
    }
  }

  private record Place(long job, long position) {}
}
