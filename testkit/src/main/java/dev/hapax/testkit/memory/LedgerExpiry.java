package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.run.retention.TombstoneRule;
import dev.hapax.store.EffectUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Deletes expired ledger rows, as a part of one group. */
final class LedgerExpiry {
  private final MemoryTables tables;
  private final LedgerTable ledger;
  private final Instant at;
  private final Instant tombstonesUntil;
  private final @Nullable Set<Long> exported;

  LedgerExpiry(
      MemoryTables tables, Instant at, Instant tombstonesUntil, @Nullable Set<Long> exported) {
    this.exported = exported;
    this.tables = tables;
    this.ledger = tables.ledger();
    this.at = at;
    this.tombstonesUntil = tombstonesUntil;
  }

  void leave(List<EffectReference> references) {
    for (EffectReference reference : references) {
      Instant end = tables.retention().expiredEnd(reference.run());
      if (end == null) {
        continue; // the run is still there
      }
      ledger.leave(reference.effect(), reference.run());
      EffectRecord row = ledger.find(reference.effect());
      if (row != null) {
        leave(row, end, reference.origin());
      }
    }
  }

  private void leave(EffectRecord row, Instant end, @Nullable String origin) {
    Duration life = life(row.key());
    Duration tombstoneLife = Duration.between(at, tombstonesUntil);
    Instant lifeEnds = RetentionRule.effectStaysUntil(at, end, life, null);
    if (origin != null) {
      ledger.keepRevision(
          row.number(), origin, (lifeEnds == null ? at : lifeEnds).plus(tombstoneLife));
    }
    decide(row, end);
  }

  void expire(List<Long> effects) {
    for (long number : effects) {
      EffectRecord row = ledger.find(number);
      Instant due = ledger.expiresAt(number);
      if (row != null && due != null && !due.isAfter(at)) {
        Instant end = tables.retention().expiredEnd(row.run());
        decide(row, end == null ? Instant.EPOCH : end);
      }
    }
  }

  private void decide(EffectRecord row, Instant lastEnd) {
    Instant stays =
        RetentionRule.effectStaysUntil(
            at, lastEnd, life(row.key()), ledger.expiresAt(row.number()));
    if (stays != null) {
      ledger.setExpiry(row.number(), stays);
    } else if (row.state().isOpen() || !ledger.referring(row).isEmpty()) {
      ledger.setExpiry(row.number(), null); // the run that refers to it brings it up again
    } else if (exported == null || exported.contains(row.number())) {
      letGo(row);
    } else {
      ledger.setExpiry(row.number(), at); // it is exported, and then looked at again
    }
  }

  private void letGo(EffectRecord row) {
    var grave = new LedgerTable.Grave(row.key(), EffectTombstone.of(row), tombstonesUntil);
    ledger.remove(row, TombstoneRule.leavesOne(row.key()) ? grave : null);
    tables.resources().drop(row.number());
    tables.retention().count("effects", 1);
  }

  private Duration life(EffectKey key) {
    return ledger.uses(key.tenant(), key.name()).stream()
        .map(EffectUse::life)
        .max(Duration::compareTo)
        .orElse(Flow.DEFAULT_RETENTION);
  }

  static void endTombstones(MemoryTables tables, int most, Instant at) {
    LedgerTable ledger = tables.ledger();
    List<LedgerTable.Grave> over =
        ledger.graves().values().stream()
            .filter(grave -> !grave.until().isAfter(at))
            .limit(most)
            .toList();
    over.forEach(ledger::removeGrave);
    ledger.revisionsUntil().entrySet().stream()
        .filter(revision -> !revision.getValue().isAfter(at))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(ledger::removeRevision);
    tables.retention().count("effectTombstones", over.size());
  }
}
