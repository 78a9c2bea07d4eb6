package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.parts.ThreadGuard;
import dev.hapax.engine.parts.Timer;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RecordExport;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.RetentionReads;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes data that is no longer needed: a small group at a time in the committer's stream, with a
 * pause after each, so that no commit waits for it. With nothing to do it sleeps until the next run
 * can expire, and does not query the store.
 */
final class RetentionWork {
  private static final Logger log = LoggerFactory.getLogger(RetentionWork.class);

  /** The first look: by then the flows are registered, so a longer retention is known. */
  private static final Duration AFTER_OPENING = Duration.ofMinutes(1);

  /**
   * At most this many of each kind in a commit, and one commit in this time: 2,500 runs a second.
   */
  private static final int AT_ONCE = 160;

  private static final Duration PACE = Duration.ofMillis(64);

  /** At least this long between two commits, so that no other commit waits for two of them. */
  private static final Duration SHORTEST_REST = Duration.ofMillis(8);

  /** About this many claims are released in one commit, however many each run has made. */
  private static final int MOST_CLAIMS = 1_000;

  private static final int JOURNALS_AT_ONCE = 4;
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  /** A retention shorter than this is not checked more often. */
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

  private final RetentionReads reads;
  private final Committer committer;
  private final Timer timer;
  private final Clock clock;
  private final IdSource ids;
  private final ThreadGuard guard;
  private final RetentionOptions retentionOptions;
  private final ConcurrentMap<Named, Duration> flows = new ConcurrentHashMap<>();
  private final @Nullable RetentionExport export;
  private final Signal closing;
  // Guarded by this.
  private @Nullable Instant alarmAt;
  private long alarmId;
  private boolean working;

  /** Large values without references: this many megabytes at most. */
  private static final int MOST_PARTS = 16;

  RetentionWork(EngineParts parts, RetentionOptions retentionOptions) {
    this.reads = parts.store().retention();
    this.committer = parts.committer();
    this.timer = parts.timer();
    this.clock = parts.clock();
    this.ids = parts.ids();
    this.guard = parts.guard();
    this.retentionOptions = retentionOptions;
    RecordExport to = retentionOptions.export();
    this.export = to == null ? null : new RetentionExport(parts.store(), to);
    this.closing = parts.threads().signal();
  }

  void start() {
    lookAt(clock.now().plus(AFTER_OPENING));
  }

  void close() {
    closing.raise();
  }

  /** Called when nothing is deleted any more. */
  void closeExport() {
    if (export != null) {
      export.close();
    }
  }

  @Nullable RetentionExport export() {
    return export;
  }

  /**
   * Deletes a run that has ended before its retention is over; its tombstone stays as usual.
   * Returns whether it is gone: something may hold it.
   *
   * @throws StoreUnavailable if it could not be exported
   */
  boolean deleteEarly(long run) {
    Instant now = clock.now();
    Map<Long, Long> exported = null;
    if (export != null) {
      try {
        exported = export.export(List.of(run), List.of(), true, 0, now).runs();
      } catch (RetentionExport.NotExported e) {
        throw new StoreUnavailable(
            "run was not deleted, because it could not be exported: " + e.getMessage(), e);
      }
      if (exported.isEmpty()) {
        return false;
      }
    }
    Instant until = now.plus(retentionOptions.tombstones());
    var changes = new ArrayList<Change>();
    changes.add(new Change.ExpireRuns(List.of(run), until, exported, true));
    List<EffectReference> references = EffectReference.in(reads.journals(List.of(run)));
    if (!references.isEmpty()) {
      changes.add(new Change.LeaveEffects(references, until, export != null));
    }
    GroupAnswer answer = submit(changes).await();
    lookAt(clock.now().plus(SHORTEST_PAUSE)); // the rest of a long journal, and effects
    return answer instanceof GroupAnswer.Landed && reads.runKeptUntil(run) == null;
  }

  /** A flow of a tenant, or of all tenants. */
  private record Named(String tenant, String flow) {}

  /**
   * The longest retention of a flow's releases counts.
   *
   * @param tenant null for all tenants that have no such flow themselves
   */
  void register(@Nullable String tenant, Flow<?, ?> flow) {
    var named = new Named(tenant == null ? RetentionRule.ALL : tenant, flow.name());
    Duration keep = flows.merge(named, flow.retention(), RetentionWork::longer);
    note(named);
    if (tenant == null) { // what tenants have set themselves may have been equal until now
      flows.keySet().stream()
          .filter(other -> other.flow().equals(flow.name()) && !other.equals(named))
          .forEach(this::note);
    }
    lookAt(clock.now().plus(longer(keep, AFTER_OPENING)));
  }

  /** A store that cannot answer does not prevent code from being registered. */
  private void note(Named flow) {
    Duration keep = Objects.requireNonNull(flows.get(flow), "how long runs of a flow are kept");
    try {
      if (!reads.keep(flow.tenant(), flow.flow()).equals(keep)) {
        submit(List.of(new Change.KeepRuns(flow.tenant(), flow.flow(), keep)));
      }
    } catch (StoreUnavailable e) {
      timer.alarm(
          clock.now().plus(SHORTEST_PAUSE),
          ids.next(),
          () -> guard.virtual("hapax-retention", () -> note(flow)));
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** The earliest requested look counts. */
  private synchronized void lookAt(Instant at) {
    Instant before = alarmAt;
    if (before != null && !at.isBefore(before)) {
      return;
    }
    if (before != null) {
      timer.cancelAlarm(before, alarmId);
    }
    alarmAt = at;
    alarmId = ids.next();
    timer.alarm(at, alarmId, this::look);
  }

  private void look() {
    synchronized (this) {
      alarmAt = null;
      if (working || closing.isRaised()) {
        return;
      }
      working = true;
    }
    guard.virtual("hapax-retention", this::work); // outside the lock, as every call of a port
  }

  private void work() {
    Instant next;
    try {
      for (long begin = clock.nanos(); !closing.isRaised() && letGo(); begin = clock.nanos()) {
        Duration rest = PACE.minusNanos(clock.nanos() - begin);
        closing.await(longer(rest, SHORTEST_REST));
      }
      next = nextLook();
    } catch (RetentionExport.NotExported e) {
      log.error(
          "nothing is deleted, because deleted records cannot be exported to {}: {}. The next try is in {}",
          export == null ? "" : export.place(),
          e.getMessage(),
          AFTER_FAILURE);
      next = clock.now().plus(AFTER_FAILURE);
    } catch (StoreUnavailable e) {
      log.warn(
          "expired records could not be deleted; the next try is in {}: {}",
          AFTER_FAILURE,
          e.getMessage());
      next = clock.now().plus(AFTER_FAILURE);
    }
    synchronized (this) {
      working = false;
    }
    lookAt(next);
  }

  /** Does one commit; false if there was nothing to do. */
  private boolean letGo() throws RetentionExport.NotExported {
    Instant now = clock.now();
    RetentionReads.Expiring expiring =
        reads.expiring(now, export == null ? AT_ONCE : RetentionExport.AT_ONCE);
    Instant eventsBefore = now.minus(retentionOptions.events());
    Instant firstEvent = reads.firstEvent();
    boolean someEvents = firstEvent != null && firstEvent.isBefore(eventsBefore);
    if (expiring.isEmpty() && !someEvents) {
      return false;
    }
    long before = IdSource.firstAt(eventsBefore);
    Going going = going(expiring);
    RetentionExport.Exported exported =
        export == null
            ? null
            : export.export(going.runs(), expiring.effects(), false, someEvents ? before : 0, now);
    List<Change> changes = changes(going, exported, now.plus(retentionOptions.tombstones()));
    if (someEvents) {
      changes.add(
          exported == null
              ? new Change.ForgetEvents(before, AT_ONCE)
              : new Change.ForgetEvents(exported.eventsBefore(), AT_ONCE));
    }
    changes.add(new Change.CollectKv(AT_ONCE));
    changes.add(new Change.CollectResources(MOST_PARTS));
    GroupAnswer answer = submit(changes).await();
    if (!(answer instanceof GroupAnswer.Landed)) {
      throw new IllegalStateException("the store answered " + answer);
    }
    return true;
  }

  /**
   * What one commit deletes.
   *
   * @param runs as many as one commit can delete
   * @param claims the rows of journals with the claims that it releases
   */
  private record Going(
      RetentionReads.Expiring expiring, List<Long> runs, List<JournalRow> claims) {}

  /** A run's claims are in its journal. The commit that deletes the journal also releases them. */
  private Going going(RetentionReads.Expiring expiring) {
    var rows = new ArrayList<>(reads.journals(expiring.journals()));
    return new Going(expiring, runs(expiring.runs(), rows), rows);
  }

  private List<Change> changes(
      Going going, RetentionExport.@Nullable Exported exported, Instant tombstonesUntil) {
    RetentionReads.Expiring expiring = going.expiring();
    var changes = new ArrayList<Change>();
    if (!going.runs().isEmpty()) {
      changes.add(
          new Change.ExpireRuns(
              going.runs(), tombstonesUntil, exported == null ? null : exported.runs(), false));
    }
    if (!expiring.journals().isEmpty()) {
      changes.add(new Change.ClearJournals(expiring.journals()));
    }
    List<EffectReference> references = EffectReference.in(going.claims());
    if (!references.isEmpty()) {
      changes.add(new Change.LeaveEffects(references, tombstonesUntil, exported != null));
    }
    if (!expiring.effects().isEmpty()) {
      changes.add(
          new Change.ExpireEffects(
              expiring.effects(), tombstonesUntil, exported == null ? null : exported.effects()));
    }
    if (!expiring.tombstones().isEmpty()) {
      changes.add(new Change.EndTombstones(expiring.tombstones()));
    }
    if (expiring.effectTombstones() > 0) {
      changes.add(new Change.EndEffectTombstones(AT_ONCE));
    }
    return changes;
  }

  /** Selects as many of these runs as one commit can delete, and adds their claims to the rows. */
  private List<Long> runs(List<Long> expired, List<JournalRow> rows) {
    int taken = 0;
    while (taken < expired.size() && rows.size() < MOST_CLAIMS) {
      int next = Math.min(expired.size(), taken + JOURNALS_AT_ONCE);
      rows.addAll(reads.journals(expired.subList(taken, next)));
      taken = next;
    }
    return List.copyOf(expired.subList(0, taken));
  }

  private Committer.Ticket submit(List<Change> changes) {
    return committer.submit(Group.always(ids.next(), clock.now(), changes));
  }

  /** Data that ends or arrives later expires no earlier than the shortest retention from now. */
  private Instant nextLook() {
    Instant now = clock.now();
    Duration shortest =
        Stream.concat(flows.values().stream(), Stream.of(retentionOptions.events()))
            .min(Duration::compareTo)
            .orElse(Flow.DEFAULT_RETENTION);
    Instant next = earlier(now.plus(shortest), reads.next());
    Instant firstEvent = reads.firstEvent();
    next = earlier(next, firstEvent == null ? null : firstEvent.plus(retentionOptions.events()));
    Instant soonest = now.plus(SHORTEST_PAUSE);
    return next.isBefore(soonest) ? soonest : next;
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other != null && other.isBefore(one) ? other : one;
  }
}
