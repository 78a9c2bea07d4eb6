package dev.hapax.app.access;

import dev.hapax.Erasure;
import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.flow.TenantContent;
import dev.hapax.flows.FlowFiles;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Erases tenants whose deletion the operator has decided: first the server's records, then what the
 * store keeps, in small commits. The decision is durable, so a later process continues where this
 * one ends. Several nodes may do it at once. Used by one thread, except {@link #left}.
 */
public final class TenantEraser {
  private static final Logger log = LoggerFactory.getLogger(TenantEraser.class);

  /** How long other nodes may take to learn that a tenant is suspended, and to end a start. */
  private static final Duration KNOWN_TO_OTHERS = Duration.ofSeconds(3);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  private final Hapax opened;
  private final Kv map;
  private final TermsBook terms;
  private final AuditLog audit;
  private final Clock clock;

  /** What is left of a tenant. */
  record Left(TenantContent content, long records) {
    boolean isEmpty() {
      return content.hasNothing() && records == 0;
    }
  }

  TenantEraser(Hapax opened, Kv map, TermsBook terms, AuditLog audit, Clock clock) {
    this.opened = opened;
    this.map = map;
    this.terms = terms;
    this.audit = audit;
    this.clock = clock;
  }

  /** Counts what is left; reads many rows. */
  Left left(String tenant) {
    return new Left(
        opened
            .tenant(tenant)
            .tenancy()
            .content()
            .plus(opened.tenant(FlowFiles.draftsOf(tenant)).tenancy().content()),
        new RecordSweep(map, tenant).count());
  }

  /**
   * Continues all deletions that are not complete.
   *
   * @param pauses waits this long; true if the server stops
   */
  public void work(Predicate<Duration> pauses) {
    for (TenantTerms one : terms.deleting()) {
      try {
        erase(one, pauses);
      } catch (RuntimeException e) { // also while the store is unreachable
        log.warn("tenant '{}' could not be erased completely; it is tried again", one.tenant(), e);
      }
    }
  }

  private void erase(TenantTerms deleted, Predicate<Duration> pauses) {
    TenantTerms.Suspended suspended = deleted.suspended();
    if (suspended == null || clock.now().isBefore(suspended.at().plus(KNOWN_TO_OTHERS))) {
      return; // another node may still start something
    }
    String tenant = deleted.tenant();
    new RecordSweep(map, tenant).remove();
    for (String space : List.of(FlowFiles.draftsOf(tenant), tenant)) {
      Erasure erasure = opened.tenant(space).tenancy().erasure();
      long begin = clock.nanos();
      while (erasure.step()) {
        long took = clock.nanos() - begin; // others get as much time as this
        long pause = Math.clamp(took, SHORTEST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos());
        if (pauses.test(Duration.ofNanos(pause))) {
          return;
        }
        begin = clock.nanos();
      }
    }
    if (left(tenant).isEmpty()) {
      finish(deleted);
    }
  }

  private void finish(TenantTerms deleted) {
    String tenant = deleted.tenant();
    Instant now = clock.now();
    TenantTerms.Deletion deletion = Objects.requireNonNull(deleted.deletion());
    boolean[] isFirst = new boolean[1];
    terms.change(
        map,
        tenant,
        before -> {
          TenantTerms.Deletion known = before.deletion();
          isFirst[0] = known != null && known.doneAt() == null;
          return known == null || known.doneAt() != null
              ? before
              : before.deletion(known.done(now));
        });
    if (isFirst[0]) {
      String what = "erased %,d rows and records".formatted(deletion.rows());
      audit.append(TenantBook.OPERATOR, "server", "tenant deleted", tenant, what);
      log.info("tenant '{}' is deleted: {}", tenant, what);
    }
  }
}
