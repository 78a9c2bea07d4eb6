package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Restoration;
import java.time.Instant;
import java.util.List;

/**
 * Writes audit lines for stores that were declared as restored while no server ran. The command
 * line has no key for the log, so the next server that starts writes them.
 */
final class RestoreAudit {
  private static final String NEWEST = "newest";

  private final Hapax opened;
  private final AuditLog audit;
  private final Records<Told> told;

  /** Everything that was declared until this time has its line. */
  record Told(Instant until) {}

  RestoreAudit(Hapax opened, Kv map, AuditLog audit) {
    this.opened = opened;
    this.audit = audit;
    this.told = new Records<>(map, "audited-restores", Told.class);
  }

  /** Writes missing lines at the start of a server; does nothing until the store is declared. */
  void catchUp() {
    if (opened.restored() == null) {
      write(opened.restores());
    }
  }

  /** A person has just declared it through the server, which has written its own line. */
  void declaredHere() {
    List<Failover> all = opened.restores();
    if (!all.isEmpty()) {
      write(all.subList(0, all.size() - 1));
      moveTo(all.getLast().notedAt());
    }
  }

  private void write(List<Failover> restores) {
    Stored<Told> before = told.get(NEWEST);
    for (Failover one : restores) {
      if (before == null || one.notedAt().isAfter(before.value().until())) {
        // If two nodes start at once, two lines are better than none.
        audit.append(
            TenantBook.OPERATOR,
            "hapax restore, without a server",
            "restore",
            "as %s, declared at %s; what was done after %s is not in the store"
                .formatted(wordOf(one), one.notedAt(), one.lostSince()),
            "done");
        moveTo(one.notedAt());
      }
    }
  }

  private String wordOf(Failover restore) {
    boolean isCopy = restore.notedAt().equals(opened.copiedAt());
    return (isCopy ? Restoration.COPY : Restoration.PRODUCTION).word();
  }

  private void moveTo(Instant until) {
    if (told.putIfAbsent(NEWEST, new Told(until)).written()) {
      return;
    }
    told.update(NEWEST, now -> now.until().isBefore(until) ? new Told(until) : now);
  }
}
