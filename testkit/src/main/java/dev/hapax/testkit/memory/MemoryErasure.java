package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.store.Change;
import dev.hapax.store.ErasablePage;
import java.util.List;

/** Erases a tenant of a store in memory, some rows at a time. */
final class MemoryErasure {
  private final MemoryTables tables;

  MemoryErasure(MemoryTables tables) {
    this.tables = tables;
  }

  ErasablePage page(String tenant, ErasablePage.After after, int limit) {
    return new ErasablePage(
        tables.runs().tailMap(after.run(), false).values().stream()
            .filter(run -> run.tenant().equals(tenant))
            .map(Run::number)
            .limit(limit)
            .toList(),
        tables.retention().graves().tailMap(after.expired(), false).values().stream()
            .filter(grave -> grave.tombstone().tenant().equals(tenant))
            .map(grave -> grave.tombstone().number())
            .limit(limit)
            .toList(),
        tables.ledger().all().tailMap(after.effect(), false).values().stream()
            .filter(effect -> effect.key().tenant().equals(tenant))
            .map(EffectRecord::number)
            .limit(limit)
            .toList(),
        tables.ledger().graves().tailMap(after.expiredEffect(), false).values().stream()
            .filter(grave -> grave.key().tenant().equals(tenant))
            .map(grave -> grave.tombstone().number())
            .limit(limit)
            .toList());
  }

  void erase(Change.EraseTenant change) {
    String tenant = change.tenant();
    for (long number : change.rows().runs()) {
      Run run = tables.run(number);
      if (run != null && run.tenant().equals(tenant)) {
        tables.resources().drop(number);
        tables.removeWaiters(number);
        tables.removeRun(run);
      }
    }
    for (long number : change.rows().expired()) {
      RetentionTable.Grave grave = tables.retention().graves().get(number);
      if (grave != null && grave.tombstone().tenant().equals(tenant)) {
        tables.retention().removeGrave(grave);
      }
    }
    for (long number : change.rows().effects()) {
      EffectRecord effect = tables.ledger().find(number);
      if (effect != null && effect.key().tenant().equals(tenant)) {
        tables.resources().drop(number);
        tables.removeWaiters(number);
        tables.ledger().remove(effect, null);
      }
    }
    for (long number : change.rows().expiredEffects()) {
      LedgerTable.Grave grave = tables.ledger().graves().get(number);
      if (grave != null && grave.key().tenant().equals(tenant)) {
        tables.ledger().removeGrave(grave);
      }
    }
    tables.inbox().erase(tenant, change.most());
    tables.kv().erase(tenant, change.most());
    tables.resources().erase(tenant);
    tables.jobs().erase(tenant, change.most());
    List.copyOf(tables.erasures().values()).stream()
        .filter(erasure -> erasure.tenant().equals(tenant))
        .forEach(erasure -> tables.remove(tables.erasures(), erasure.number()));
    List.copyOf(tables.schedules(tenant)).stream()
        .limit(change.most())
        .forEach(row -> tables.removeSchedule(tenant, row.name()));
  }
}
