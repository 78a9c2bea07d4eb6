package dev.hapax.testkit.memory;

import dev.hapax.flow.Run;
import dev.hapax.run.Tombstone;
import dev.hapax.run.retention.RetentionRule;
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

  void expire(List<Long> runs, Instant tombstonesUntil) {
    for (long number : runs) {
      Run run = tables.run(number);
      Instant endedAt = run == null ? null : run.endedAt();
      Instant expiresAt = tables.retention().expiresAt(number);
      if (run == null || endedAt == null || expiresAt == null || expiresAt.isAfter(at)) {
        continue; // it is gone, or goes on, or stays for longer
      }
      Instant stays =
          RetentionRule.runStaysUntil(
              at,
              endedAt,
              expiresAt,
              tables.retention().keep(run.flow()),
              tables.ledger().ownsOpenEffect(number) || hasParent(run));
      if (stays != null) {
        tables.retention().setExpiry(number, stays);
        continue;
      }
      var tombstone = new Tombstone(number, run.id(), run.tenant(), run.status(), endedAt);
      tables.retention().put(new RetentionTable.Grave(tombstone, tombstonesUntil));
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
