package dev.hapax.testkit.memory;

import dev.hapax.run.RetentionRule;
import dev.hapax.run.Run;
import dev.hapax.run.Tombstone;
import java.time.Instant;
import java.util.List;

/** Lets go what has expired, as a part of one group. */
final class Expiry {
  private final Tables tables;
  private final Instant at;

  Expiry(Tables tables, Instant at) {
    this.tables = tables;
    this.at = at;
  }

  void expire(List<Long> runs, Instant tombstonesUntil) {
    for (long number : runs) {
      Run run = tables.run(number);
      Instant endedAt = run == null ? null : run.endedAt();
      Instant expiresAt = tables.expiresAt(number);
      if (run == null || endedAt == null || expiresAt == null || expiresAt.isAfter(at)) {
        continue; // it is gone, or goes on, or stays for longer
      }
      Instant stays =
          RetentionRule.runStaysUntil(
              at,
              endedAt,
              expiresAt,
              tables.keep(run.flow()),
              tables.ownsOpenEffect(number) || hasParent(run));
      if (stays != null) {
        tables.setExpiry(number, stays);
        continue;
      }
      var tombstone = new Tombstone(number, run.id(), run.tenant(), run.status(), endedAt);
      tables.put(new Tables.Grave(tombstone, tombstonesUntil));
      tables.removeRun(run);
      tables.resources().drop(number);
      tables.count("runs", 1);
    }
  }

  private boolean hasParent(Run run) {
    Long parent = run.parent();
    return parent != null && tables.run(parent) != null;
  }

  void endTombstones(List<Long> runs) {
    for (long number : runs) {
      Tables.Grave grave = tables.graves().get(number);
      if (grave == null || grave.until().isAfter(at)) {
        continue;
      }
      if (tables.hasSuccessor(number)) {
        tables.put(new Tables.Grave(grave.tombstone(), at.plus(RetentionRule.LOOK_AGAIN)));
      } else {
        tables.removeGrave(grave);
        tables.count("tombstones", 1);
      }
    }
  }
}
