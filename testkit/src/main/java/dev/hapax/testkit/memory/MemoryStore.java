package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Subject;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.EffectHolder;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.ErasureReads;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.JobReads;
import dev.hapax.store.KvFilter;
import dev.hapax.store.NodeReport;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.store.TenantReads;
import dev.hapax.store.WaitReads;
import dev.hapax.time.IdSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store that loses everything with its process. For tests, and for the simulation: the same calls
 * always give the same answers, in the same order. One lock around everything, so any thread may
 * call it.
 */
public final class MemoryStore implements Store {
  private static final AtomicLong STORES = new AtomicLong();

  private final long id = STORES.incrementAndGet();
  private final MemoryTables tables = new MemoryTables();
  private final WaitReads waits = new MemoryWaits(this, tables);
  private final JobReads jobs = new MemoryJobs(this, tables);
  private final ErasureReads erasures = new MemoryErasures(this, tables);
  private byte @Nullable [] secretKey;
  private Instant newestAt = Instant.EPOCH;

  @Override
  public synchronized List<GroupAnswer> commit(Batch batch) {
    List<GroupAnswer> answers = new ArrayList<>(batch.groups().size());
    for (Group group : batch.groups()) {
      GroupAnswer answer = new GroupCommit(tables, group).commit();
      if (answer instanceof GroupAnswer.Landed || answer instanceof GroupAnswer.Queued) {
        newestAt = later(newestAt, group.at());
      }
      answers.add(answer);
    }
    return answers;
  }

  /** Treats every other process that used it as gone. */
  @Override
  public synchronized HeartbeatReply heartbeat(NodeReport report) {
    return HeartbeatReply.alone(adopt(report, owner -> owner != report.owner(), Integer.MAX_VALUE));
  }

  /**
   * Gives the first runs whose owner is gone to this node, and returns them; on a recall also the
   * runs that it has already.
   */
  synchronized List<Long> adopt(NodeReport report, LongPredicate isGone, int most) {
    List<Long> adopted = new ArrayList<>();
    for (Run run : List.copyOf(tables.runs().values())) {
      Long former = run.owner();
      if (former == null || run.isQuarantined()) {
        continue;
      }
      if (isGone.test(former) && adopted.size() < most) {
        tables.put(RunEdit.of(run).owner(report.owner()).toRun());
        adopted.add(run.number());
      } else if (report.recall() && former == report.owner()) {
        adopted.add(run.number());
      }
    }
    tables.keep();
    return adopted;
  }

  /** Returns the runs of this owner that have a request to cancel. */
  synchronized List<Long> canceled(long owner) {
    return tables.runs().values().stream()
        .filter(run -> run.owner() != null && run.owner() == owner && run.cancel() != null)
        .map(Run::number)
        .toList();
  }

  @Override
  public synchronized @Nullable Run find(RunId id) {
    return tables.run(id);
  }

  @Override
  public synchronized @Nullable KeyHolder holder(RunId id) {
    return tables.retention().holder(id);
  }

  @Override
  public synchronized @Nullable Generation newest(long first) {
    return tables.retention().newest(first);
  }

  @Override
  public RetentionReads retention() {
    return new MemoryRetention(this, tables);
  }

  @Override
  public synchronized @Nullable Run run(long number) {
    return tables.run(number);
  }

  @Override
  public synchronized @Nullable StoredRun load(long number, long from) {
    Run run = tables.run(number);
    if (run == null) {
      return null;
    }
    List<JournalRow> main =
        tables.journal(number).stream()
            .filter(row -> row.seq() >= from && row.item() == null)
            .toList();
    return new StoredRun(run, tables.lastSeq(number), main);
  }

  @Override
  public synchronized List<JournalRow> journal(long run, long after, int limit) {
    return tables.journal(run).stream().filter(row -> row.seq() > after).limit(limit).toList();
  }

  @Override
  public synchronized List<JournalRow> itemRows(long run, List<String> items) {
    return tables.journal(run).stream()
        .filter(row -> row.item() != null && items.contains(row.item()))
        .toList();
  }

  @Override
  public synchronized @Nullable EffectRecord effect(long number) {
    return tables.ledger().find(number);
  }

  @Override
  public synchronized @Nullable EffectRecord effect(EffectKey key) {
    return tables.ledger().find(key);
  }

  @Override
  public synchronized @Nullable EffectTombstone expiredEffect(EffectKey key) {
    return tables.ledger().holder(key) instanceof EffectHolder.Expired(var tombstone)
        ? tombstone
        : null;
  }

  @Override
  public synchronized @Nullable ClaimAnswer expiredAnswer(EffectClaim claim) {
    return tables.ledger().holder(claim.key()) instanceof EffectHolder.Expired(var tombstone)
        ? MemoryEffectChanges.ruled(tables, tombstone, claim).answer()
        : null;
  }

  @Override
  public synchronized List<Run> runs(RunFilter filter) {
    return tables.runs().descendingMap().values().stream()
        .filter(filter::admits)
        .filter(run -> isBefore(filter.before(), run.number()))
        .limit(filter.limit())
        .toList();
  }

  @Override
  public synchronized List<EffectRecord> effects(EffectFilter filter) {
    Set<Long> claimed = claimedBy(filter.search().run());
    return tables.ledger().all().descendingMap().values().stream()
        .filter(filter::admits)
        .filter(effect -> claimed == null || claimed.contains(effect.number()))
        .filter(effect -> isBefore(filter.before(), effect.number()))
        .limit(filter.limit())
        .toList();
  }

  private @Nullable Set<Long> claimedBy(@Nullable Long run) {
    return run == null
        ? null
        : EffectReference.in(tables.journal(run)).stream()
            .map(EffectReference::effect)
            .collect(Collectors.toSet());
  }

  @Override
  public boolean isSearchBehind(long before) {
    return false;
  }

  @Override
  public synchronized @Nullable String stoppedNotes(long run) {
    return tables.stoppedNotes(run);
  }

  @Override
  public WaitReads waits() {
    return waits;
  }

  @Override
  public JobReads jobs() {
    return jobs;
  }

  @Override
  public ErasureReads erasures() {
    return erasures;
  }

  @Override
  public synchronized byte[] secretKey(byte[] fresh) {
    byte[] key = secretKey;
    if (key == null) {
      key = fresh.clone();
      secretKey = key;
    }
    return key.clone();
  }

  @Override
  public synchronized byte @Nullable [] secretKey() {
    byte[] key = secretKey;
    return key == null ? null : key.clone();
  }

  @Override
  public synchronized void eraseSecretKey(byte[] known) {
    if (Arrays.equals(known, secretKey)) {
      secretKey = null;
    }
  }

  @Override
  public synchronized List<Hold> holds(String tenant, @Nullable Subject subject) {
    return tables
        .holds()
        .all()
        .filter(hold -> hold.line().tenant().equals(tenant))
        .filter(hold -> admits(subject, hold.line().subject()))
        .sorted(Comparator.comparingLong(Hold::place).thenComparingLong(Hold::run))
        .toList();
  }

  @Override
  public synchronized List<Due> due(@Nullable Due after, Instant until, int limit) {
    return tables.due(after).stream()
        .takeWhile(due -> !due.at().isAfter(until))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized @Nullable Instant nextDue(@Nullable Due after) {
    SortedSet<Due> due = tables.due(after);
    return due.isEmpty() ? null : due.first().at();
  }

  @Override
  public synchronized List<InboxEvent> events(InboxFilter filter) {
    return tables.inbox().newestFirst().stream()
        .filter(event -> event.tenant().equals(filter.tenant()))
        .filter(event -> admits(filter.source(), event.source()))
        .filter(event -> admits(filter.event(), event.event()))
        .filter(event -> admits(filter.outcome(), event.outcome()))
        .filter(event -> !filter.repeated() || event.redeliveries() > 0)
        .filter(event -> admits(filter.number(), event.number()))
        .filter(event -> isBefore(filter.before(), event.number()))
        .limit(filter.limit())
        .toList();
  }

  @Override
  public synchronized List<InboxEvent> events(String tenant, TextMatch event, int limit) {
    return tables.inbox().newestFirst().stream()
        .filter(one -> one.tenant().equals(tenant) && event.admits(one.event()))
        .sorted(
            Comparator.comparing(InboxEvent::source, KvFilter.CODE_POINTS)
                .thenComparing(InboxEvent::event, KvFilter.CODE_POINTS))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<ScheduleRecord> schedules(String tenant) {
    return tables.schedules(tenant);
  }

  @Override
  public synchronized @Nullable KvEntry kv(String tenant, String key) {
    return tables.kv().find(tenant, key);
  }

  @Override
  public synchronized List<KvEntry> kv(KvFilter filter) {
    return tables.kv().list(filter);
  }

  @Override
  public synchronized @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return tables.resources().find(tenant, ref);
  }

  @Override
  public synchronized byte @Nullable [] content(long resource) {
    return tables.resources().content(resource);
  }

  @Override
  public TenantReads tenants() {
    return new MemoryTenants(this, tables);
  }

  @Override
  public synchronized Instant newestAt() {
    Instant newest = later(newestAt, timeOfLast(tables.runs()));
    newest = later(newest, timeOfLast(tables.retention().graves()));
    newest = later(newest, timeOfLast(tables.ledger().all())); // numbers may run ahead of the clock
    newest = later(newest, timeOfLast(tables.ledger().graves()));
    return later(newest, IdSource.timeOf(tables.lastWait()));
  }

  private static Instant timeOfLast(NavigableMap<Long, ?> rows) {
    return rows.isEmpty() ? Instant.EPOCH : IdSource.timeOf(rows.lastKey());
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public void backup(Path target, Instant at) {
    throw new UnsupportedOperationException(
        "a store in memory cannot be copied to "
            + target
            + ": use a store in a file where backups matter");
  }

  @Override
  public void close() {}

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static boolean admits(@Nullable Object wanted, Object found) {
    return wanted == null || wanted.equals(found);
  }

  private static boolean isBefore(@Nullable Long bound, long number) {
    return bound == null || number < bound;
  }
}
