package dev.hapax.testkit.memory;

import dev.hapax.flow.Run;
import dev.hapax.run.Tombstone;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import java.time.Instant;
import java.util.List;

/** Deletes expired rows, as a part of one group. */
final class Expiry {
  private final MemoryTables tables;
  private final Instant at;

  Expiry(MemoryTables tables, Instant at) {
    this.tables = tables;
    this.at = at;
  }

  void expire(Change.ExpireRuns change) {
    for (long number : change.runs()) {
      Run run = tables.run(number);
      Instant endedAt = run == null ? null : run.endedAt();
      Instant expiresAt = tables.retention().expiresAt(number);
      if (run == null
          || endedAt == null
          || expiresAt == null
          || (expiresAt.isAfter(at) && !change.isEarly())) {
        continue; // it is gone, or goes on, or stays for longer
      }
      boolean isHeld = tables.ledger().ownsOpenEffect(number) || hasParent(run);
      Instant stays =
          change.isEarly()
              ? (isHeld ? expiresAt : null)
              : RetentionRule.runStaysUntil(
                  at,
                  endedAt,
                  expiresAt,
                  tables.retention().keep(run.tenant(), run.flow()),
                  isHeld);
      if (stays != null) {
        tables.retention().setExpiry(number, stays);
        continue;
      }
      if (!change.allows(number, tables.lastSeq(number))) {
        continue;
      }
      var tombstone = new Tombstone(number, run.id(), run.tenant(), run.status(), endedAt);
      tables.retention().put(new RetentionTable.Grave(tombstone, change.tombstonesUntil()));
      tables.removeRun(run);
      tables.resources().drop(number);
      tables.retention().count("runs", 1);
    }
  }

  private boolean hasParent(Run run) {
    Long parent = run.parent();
    return parent != null && tables.run(parent) != null;
  }

  void endTombstones(List<Long> runs) {
    for (long number : runs) {
      RetentionTable.Grave grave = tables.retention().graves().get(number);
      if (grave == null || grave.until().isAfter(at)) {
        continue;
      }
      if (tables.retention().hasSuccessor(number)) {
        tables
            .retention()
            .put(new RetentionTable.Grave(grave.tombstone(), at.plus(RetentionRule.LOOK_AGAIN)));
      } else {
        tables.retention().removeGrave(grave);
        tables.retention().count("tombstones", 1);
      }
    }
  }
}
