package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.flow.WaitingCaller;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the new runs of tenants that have a quota for them. The count of the day is durable and
 * shared by all nodes. A node takes rights from it, a few at a time if the quota is large, and
 * gives them to its starts. So the nodes together never exceed the quota; a node that ends loses
 * the few rights that it has not used. Safe for many threads.
 */
final class DailyRuns {
  private static final long PARTS = 1000;
  private static final long MOST_AT_ONCE = 1000;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Store store;
  private final Clock clock;
  private final ConcurrentMap<String, Pool> pools = new ConcurrentHashMap<>();

  DailyRuns(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The rights that all nodes have taken on one day. */
  private record Day(String day, long runs) {}

  /** The rights of this node; guarded by itself. */
  private static final class Pool {
    private String day = "";
    private long limit;
    private long free;
    private long usedUpAt;
    private boolean isUsedUp;
  }

  /** Takes up to so many rights, and returns how many. */
  int take(Kv map, String tenant, int wanted, long limit) {
    Pool pool = pools.computeIfAbsent(tenant, _ -> new Pool());
    synchronized (pool) {
      follow(map, tenant, pool, limit);
      if (pool.free < wanted && !isUsedUp(pool)) {
        long more = Math.max(wanted - pool.free, Math.clamp(limit / PARTS, 1, MOST_AT_ONCE));
        long taken = change(map, tenant, more, limit);
        pool.free += taken;
        pool.isUsedUp = taken < more;
        pool.usedUpAt = clock.nanos();
      }
      int granted = (int) Math.min(wanted, pool.free);
      pool.free -= granted;
      return granted;
    }
  }

  private boolean isUsedUp(Pool pool) {
    return pool.isUsedUp && clock.nanos() - pool.usedUpAt < LOOK_AGAIN.toNanos();
  }

  /** Rights are of one day, and of the quota of their time. */
  private void follow(Kv map, String tenant, Pool pool, long limit) {
    String today = today();
    if (pool.limit != limit && pool.day.equals(today) && pool.free > 0) {
      change(map, tenant, -pool.free, Long.MAX_VALUE);
    }
    if (pool.limit != limit || !pool.day.equals(today)) {
      pool.limit = limit;
      pool.day = today;
      pool.free = 0;
      pool.isUsedUp = false;
    }
  }

  void giveBack(String tenant, int runs) {
    Pool pool = pools.get(tenant);
    if (pool != null) {
      synchronized (pool) {
        if (pool.day.equals(today())) {
          pool.free += runs;
        }
      }
    }
  }

  /**
   * Returns by how much the count of the day grew.
   *
   * @throws dev.hapax.flow.StoreFull rather than to hold up all starts of the tenant
   */
  private long change(Kv map, String tenant, long wanted, long limit) {
    return WaitingCaller.waitsFor(() -> changeNow(map, tenant, wanted, limit));
  }

  private long changeNow(Kv map, String tenant, long wanted, long limit) {
    var records = records(map);
    Stored<Day> there = records.get(tenant);
    while (true) {
      Day now = present(tenant, there);
      long more = Math.min(wanted, limit - now.runs());
      if (more == 0 || (more < 0 && wanted > 0)) {
        return 0;
      }
      Outcome<Day> outcome =
          records.compareAndSet(
              tenant,
              there == null ? 0 : there.version(),
              new Day(now.day(), Math.max(0, now.runs() + more)));
      if (outcome.written()) {
        return more;
      }
      there = outcome.standing();
    }
  }

  /**
   * Returns the count of today. A day begins with the runs that were started before they were
   * counted. The day of a node whose clock is ahead counts for all.
   */
  private Day present(String tenant, @Nullable Stored<Day> there) {
    String today = today();
    if (there != null && there.value().day().compareTo(today) >= 0) {
      return there.value();
    }
    Instant begin = LocalDate.parse(today).atStartOfDay(ZoneOffset.UTC).toInstant();
    return new Day(today, store.tenants().runsSince(tenant, IdSource.firstAt(begin)));
  }

  /** Returns how many runs were started today. */
  long today(Kv map, String tenant) {
    Pool pool = pools.computeIfAbsent(tenant, _ -> new Pool());
    synchronized (pool) {
      long unused = pool.day.equals(today()) ? pool.free : 0;
      return Math.max(0, present(tenant, records(map).get(tenant)).runs() - unused);
    }
  }

  /** Returns when the next day begins. */
  Instant tomorrow() {
    return LocalDate.parse(today()).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private String today() {
    return LocalDate.ofInstant(clock.now(), ZoneOffset.UTC).toString();
  }

  private static Records<Day> records(Kv map) {
    return new Records<>(map, "tenant-runs", Day.class);
  }
}
