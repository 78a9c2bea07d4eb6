package dev.hapax.testkit.memory;

import dev.hapax.flow.Activity;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.TenantContent;
import dev.hapax.store.ErasablePage;
import dev.hapax.store.KvFilter;
import dev.hapax.store.OpenWork;
import dev.hapax.store.TenantReads;
import java.time.Instant;
import java.util.List;

/** Reads about tenants of a store in memory, under its lock. */
final class MemoryTenants implements TenantReads {
  private final Object lock;
  private final MemoryTables tables;

  MemoryTenants(Object lock, MemoryTables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public TenantContent content(String tenant) {
    synchronized (lock) {
      return count(tenant);
    }
  }

  private TenantContent count(String tenant) {
    List<Run> runs =
        tables.runs().values().stream().filter(run -> run.tenant().equals(tenant)).toList();
    List<EffectRecord> effects =
        tables.ledger().all().values().stream()
            .filter(effect -> effect.key().tenant().equals(tenant))
            .toList();
    var entries =
        tables.kv().list(new KvFilter(tenant, "", null, Instant.EPOCH, Integer.MAX_VALUE));
    var events =
        tables.inbox().newestFirst().stream()
            .filter(event -> event.tenant().equals(tenant))
            .toList();
    long expired =
        tables.retention().graves().values().stream()
            .filter(grave -> grave.tombstone().tenant().equals(tenant))
            .count();
    long forgotten =
        tables.ledger().graves().values().stream()
            .filter(grave -> grave.key().tenant().equals(tenant))
            .count();
    long rows = runs.stream().mapToLong(run -> tables.journal(run.number()).size()).sum();
    long waits = tables.waits().stream().filter(wait -> wait.tenant().equals(tenant)).count();
    long schedules = tables.schedules(tenant).size();
    long resources = tables.resources().count(tenant);
    long jobs = tables.jobs().count(tenant);
    long texts =
        runs.stream().mapToLong(run -> run.input().length()).sum()
            + events.stream().mapToLong(event -> event.payload().length()).sum()
            + entries.stream().mapToLong(entry -> entry.value().length()).sum();
    long all =
        runs.size()
            + rows
            + effects.size()
            + events.size()
            + waits
            + entries.size()
            + schedules
            + jobs;
    return new TenantContent(
        runs.size(),
        expired,
        rows,
        effects.size(),
        effects.stream().filter(effect -> effect.state().isOpen()).count(),
        forgotten,
        events.size(),
        waits,
        entries.size(),
        schedules,
        resources,
        jobs,
        texts + (all + expired + forgotten + resources) * TenantContent.PER_ROW);
  }

  @Override
  public ErasablePage erasable(String tenant, ErasablePage.After after, int limit) {
    synchronized (lock) {
      return new MemoryErasure(tables).page(tenant, after, limit);
    }
  }

  @Override
  public long runsSince(String tenant, long first) {
    synchronized (lock) {
      return tables.runs().tailMap(first, true).values().stream()
          .filter(run -> run.tenant().equals(tenant) && run.parent() == null)
          .count();
    }
  }

  @Override
  public OpenWork open(int newest) {
    synchronized (lock) {
      return new MemoryOpenWork(tables).read(newest);
    }
  }

  @Override
  public Activity activity(String tenant, Activity.Span span) {
    synchronized (lock) {
      return new MemoryActivity(tables, tenant, span).read();
    }
  }
}
