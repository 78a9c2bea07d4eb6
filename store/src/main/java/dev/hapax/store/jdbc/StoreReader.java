package dev.hapax.store.jdbc;

import dev.hapax.flow.Activity;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.Subject;
import dev.hapax.flow.TextMatch;
import dev.hapax.json.Json;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.retention.TombstoneRule;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Due;
import dev.hapax.store.KvFilter;
import dev.hapax.store.OpenWork;
import dev.hapax.store.StoredRun;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queries on one connection, inside a read transaction that its caller opens and ends. Used by
 * one thread.
 */
public abstract class StoreReader implements AutoCloseable {
  static final String RUN = "SELECT " + RunMapping.COLUMNS + " FROM run ";

  static final String EFFECT = "SELECT " + EffectMapping.COLUMNS + " FROM effect ";

  private static final String JOURNAL =
      "SELECT "
          + JournalRows.COLUMNS
          + " FROM journal WHERE run = :run AND seq > :after ORDER BY seq LIMIT :limit";

  private static final String SOME_JOURNALS =
      "SELECT " + JournalRows.COLUMNS + " FROM journal WHERE run IN (%s) ORDER BY run, seq";

  private static final String OWN_JOURNAL =
      "SELECT "
          + JournalRows.COLUMNS
          + " FROM journal WHERE run = :run AND seq >= :from AND lane IS NULL ORDER BY seq";

  private static final String ITEM_ROWS =
      "SELECT "
          + JournalRows.COLUMNS
          + " FROM journal WHERE run = :run AND lane IN (%s) ORDER BY seq";

  /** Pages in the index's own order, so that a page costs as much as it has rows. */
  private static final String DUE =
      """
      SELECT due_at, number FROM run
      WHERE due_at IS NOT NULL AND (due_at, number) > (:after_at, :after_run) AND due_at <= :until AND owner IS NULL
      ORDER BY due_at, number LIMIT :limit
      """;

  private static final String EVENTS =
      "SELECT "
          + InboxRows.COLUMNS
          + """
           FROM inbox
          WHERE tenant = :tenant AND number < :before AND (:number IS NULL OR number = :number)
            AND (:source IS NULL OR source = :source) AND (:event IS NULL OR event = :event)
            AND (:outcome IS NULL OR outcome = :outcome) AND redeliveries >= :repeats
          ORDER BY number DESC LIMIT :limit
          """;

  private static final String SCHEDULES =
      "SELECT " + ScheduleRows.COLUMNS + " FROM schedule WHERE tenant = :tenant ORDER BY name";

  private static final String HOLDS =
      """
      WHERE tenant = :tenant AND (:subject IS NULL OR subject = :subject)
      ORDER BY flow IS NOT NULL, place, run LIMIT 1000
      """;

  private static final String RESOURCE =
      "SELECT number, content_type, size FROM resource WHERE tenant = :tenant AND hash = :hash AND"
          + " whole = 1";

  private static final String KV = "SELECT " + KvRows.COLUMNS + " FROM kv ";

  private static final String KV_LIST =
      KV
          + """
          WHERE tenant = :tenant AND key >= :from AND (:after IS NULL OR key > :after) AND (:until IS NULL OR key < :until)
            AND (expires_at IS NULL OR expires_at > :at)
          ORDER BY key LIMIT :limit
          """;

  private final Session session;
  private final Prepared run;
  private final Prepared someRuns;
  private final Prepared someJournals;
  private final Prepared someEffects;
  private final Prepared runByKey;
  private final KeyHolders holders;
  private final RetentionReader retention;
  private final Prepared effect;
  private final Prepared effectByKey;
  private @Nullable Prepared effectsByKey;
  private final Prepared tombstone;
  private final Prepared tombstoneByKey;
  private final Prepared journal;
  private final Prepared ownJournal;
  private final Prepared lastSeq;
  private final Prepared itemRows;
  private final Prepared due;
  private final Prepared schedules;
  private final Prepared kv;
  private final Prepared resource;
  private final Prepared resourceSize;
  private final Prepared resourceParts;
  private final Prepared events;

  protected StoreReader(Session session) throws SQLException {
    Dialect dialect = session.dialect();
    this.session = session;
    this.run = session.prepare(RUN + "WHERE number = :number");
    this.someRuns = session.prepare(RUN + "WHERE number IN (" + dialect.numbers(":numbers") + ")");
    this.someJournals = session.prepare(SOME_JOURNALS.formatted(dialect.numbers(":runs")));
    this.someEffects =
        session.prepare(EFFECT + "WHERE number IN (" + dialect.numbers(":numbers") + ")");
    this.runByKey = session.prepare(RUN + "WHERE number = (" + dialect.runByKey() + ")");
    this.holders = new KeyHolders(session);
    this.retention = new RetentionReader(session);
    this.effect = session.prepare(EFFECT + "WHERE number = :number");
    this.effectByKey = session.prepare(EFFECT + "WHERE number = (" + dialect.effectByKey() + ")");
    this.tombstone = session.prepare(LedgerRows.TOMBSTONES + "WHERE number = :number");
    this.tombstoneByKey =
        session.prepare(LedgerRows.TOMBSTONES + "WHERE number = (" + dialect.effectByKey() + ")");
    this.journal = session.prepare(JOURNAL);
    this.ownJournal = session.prepare(OWN_JOURNAL);
    this.lastSeq = session.prepare("SELECT coalesce(max(seq), 0) FROM journal WHERE run = :run");
    this.itemRows = session.prepare(ITEM_ROWS.formatted(dialect.elements(":items")));
    this.due = session.prepare(DUE);
    this.schedules = session.prepare(SCHEDULES);
    this.resource = session.prepare(RESOURCE);
    this.resourceSize =
        session.prepare("SELECT size FROM resource WHERE number = :number AND whole = 1");
    this.resourceParts =
        session.prepare("SELECT bytes FROM resource_part WHERE resource = :number ORDER BY part");
    this.kv = session.prepare(KV + "WHERE tenant = :tenant AND key = :key");
    this.events = session.prepare(EVENTS);
  }

  public Session session() {
    return session;
  }

  /** Begins a set of questions that are answered together. */
  protected abstract void begin() throws SQLException;

  /** Makes all further answers come from one moment. */
  protected abstract void oneMoment() throws SQLException;

  protected abstract void end() throws SQLException;

  byte @Nullable [] secretKey() throws SQLException {
    try (var query = session().prepare(WaitRows.SECRET)) {
      return query.first(row -> row.bytes(1));
    }
  }

  @Nullable String stoppedNotes(long number) throws SQLException {
    try (var query = session().prepare("SELECT notes FROM duplicate WHERE run = :run")) {
      return query.with(number).first(row -> row.text(1));
    }
  }

  @Nullable Run run(long number) throws SQLException {
    return run.with(number).first(RunMapping::of);
  }

  /** Returns those of these runs that exist. */
  public List<Run> runs(List<Long> numbers) throws SQLException {
    return someRuns.with(Json.write(numbers.toArray(Long[]::new))).all(RunMapping::of);
  }

  /** Returns the whole journals of these runs. */
  public List<JournalRow> journals(List<Long> runs) throws SQLException {
    return someJournals.with(Json.write(runs.toArray(Long[]::new))).all(JournalRows::row);
  }

  /** Returns those of these effects that exist. */
  public List<EffectRecord> effects(List<Long> numbers) throws SQLException {
    return someEffects.with(Json.write(numbers.toArray(Long[]::new))).all(EffectMapping::of);
  }

  /** Looks only in the index; young runs are found by their number. */
  public @Nullable Run indexedRun(Key key) throws SQLException {
    return runByKey.with(key.bytes()).first(RunMapping::of);
  }

  public @Nullable KeyHolder holder(long number) throws SQLException {
    oneMoment();
    return holders.of(number);
  }

  /** Looks only in the index, as {@link #indexedRun} does. */
  public @Nullable KeyHolder indexedHolder(Key key) throws SQLException {
    return holders.of(key);
  }

  /** Returns the holders of those keys that are not free; for databases that have arrays. */
  public Map<Key, KeyHolder> holders(List<Key> keys) throws SQLException {
    return holders.of(keys);
  }

  @Nullable Generation newest(long first) throws SQLException {
    oneMoment();
    return holders.newest(first);
  }

  RetentionReader retention() {
    return retention;
  }

  @Nullable StoredRun load(long number, long from) throws SQLException {
    oneMoment();
    Run found = run(number);
    if (found == null) {
      return null;
    }
    Long last = lastSeq.with(number).first(row -> row.number(1));
    return new StoredRun(
        found, last == null ? 0 : last, ownJournal.with(number).with(from).all(JournalRows::row));
  }

  List<JournalRow> itemRows(long run, List<String> names) throws SQLException {
    return itemRows.with(run).with(Json.write(names.toArray(String[]::new))).all(JournalRows::row);
  }

  List<JournalRow> journal(long run, long after, int limit) throws SQLException {
    return journal.with(run).with(after).with(limit).all(JournalRows::row);
  }

  @Nullable EffectRecord effect(long number) throws SQLException {
    return effect.with(number).first(EffectMapping::of);
  }

  public @Nullable EffectRecord indexedEffect(Key key) throws SQLException {
    return effectByKey.with(key.bytes()).first(EffectMapping::of);
  }

  /** Returns the effects of those keys that have one; for databases that have arrays. */
  public List<EffectRecord> indexedEffects(List<Key> keys) throws SQLException {
    Prepared query = effectsByKey;
    if (query == null) {
      query = session.prepare(EFFECT + "WHERE hash = ANY(:keys)");
      effectsByKey = query;
    }
    return query.with(keys).all(EffectMapping::of);
  }

  public @Nullable EffectTombstone tombstone(long number) throws SQLException {
    return tombstone.with(number).first(LedgerRows::tombstone);
  }

  public @Nullable EffectTombstone indexedTombstone(Key key) throws SQLException {
    return tombstoneByKey.with(key.bytes()).first(LedgerRows::tombstone);
  }

  /** Returns those of these keys that have only a tombstone; for databases that have arrays. */
  public Set<Key> indexedTombstones(List<Key> keys) throws SQLException {
    try (var query = session.prepare("SELECT hash FROM expired_effect WHERE hash = ANY(:keys)")) {
      return Set.copyOf(query.with(keys).all(row -> Key.of(row.bytes(1))));
    }
  }

  /** Returns how a claim of a key that has only this tombstone would be answered. */
  public ClaimAnswer answer(EffectTombstone tombstone, EffectClaim claim) throws SQLException {
    String origin = claim.origin();
    try (var renews = session.prepare(LedgerRows.RENEWS);
        var revision = session.prepare(EffectRows.REVISION)) {
      boolean isRerun =
          origin != null
              && revision.with(tombstone.number()).with(origin).first(row -> row.number(1)) != null;
      boolean isNew = Boolean.TRUE.equals(renews.with(claim.run()).first(row -> row.flag(1)));
      return TombstoneRule.decide(tombstone, claim, isNew, isRerun).answer();
    }
  }

  List<Run> runs(RunFilter filter) throws SQLException {
    return new RunListing(session).list(filter);
  }

  List<EffectRecord> effects(EffectFilter filter) throws SQLException {
    return new EffectListing(session).list(filter, this);
  }

  boolean isSearchBehind(long before) throws SQLException {
    return new SearchIndex(session).isBehind(before);
  }

  private static long before(@Nullable Long number) {
    return number == null ? Long.MAX_VALUE : number;
  }

  List<Hold> holds(String tenant, @Nullable Subject subject) throws SQLException {
    byte[] hash = subject == null ? null : subject.bytes();
    List<Hold> holds = new ArrayList<>();
    try (var holders = session.prepare(LineRows.HOLDER + HOLDS);
        var waiters = session.prepare(LineRows.WAITER + HOLDS)) {
      holds.addAll(holders.with(tenant).with(hash).all(LineRows::holder));
      holds.addAll(waiters.with(tenant).with(hash).all(LineRows::waiter));
    }
    holds.sort(Comparator.comparingLong(Hold::place).thenComparingLong(Hold::run));
    return holds;
  }

  List<Due> due(@Nullable Due after, Instant until, int limit) throws SQLException {
    return due.with(after == null ? Long.MIN_VALUE : after.at().toEpochMilli())
        .with(after == null ? Long.MIN_VALUE : after.run())
        .with(until)
        .with(limit)
        .all(row -> new Due(row.at(1), row.number(2)));
  }

  List<InboxEvent> events(InboxFilter filter) throws SQLException {
    InboxOutcome outcome = filter.outcome();
    return events
        .with(filter.tenant())
        .with(before(filter.before()))
        .with(filter.number())
        .with(filter.source())
        .with(filter.event())
        .with(outcome == null ? null : outcome.word())
        .with(filter.repeated() ? 1 : 0)
        .with(filter.limit())
        .all(InboxRows::row);
  }

  List<InboxEvent> events(String tenant, TextMatch event, int limit) throws SQLException {
    return new EventSearch(session).find(tenant, event, limit);
  }

  List<ScheduleRecord> schedules(String tenant) throws SQLException {
    return schedules.with(tenant).all(ScheduleRows::row);
  }

  @Nullable KvEntry kv(String tenant, String key) throws SQLException {
    return kv.with(tenant).with(key).first(KvRows::entry);
  }

  List<KvEntry> kv(KvFilter filter) throws SQLException {
    try (var list = session.prepare(KV_LIST)) {
      return list.with(filter.tenant())
          .with(filter.from())
          .with(filter.after())
          .with(filter.until())
          .with(filter.at())
          .with(filter.limit())
          .all(KvRows::entry);
    }
  }

  @Nullable ResourceRecord resource(String tenant, ResourceRef ref) throws SQLException {
    return resource
        .with(tenant)
        .with(ref.bytes())
        .first(row -> new ResourceRecord(row.number(1), ref, row.text(2), (int) row.number(3)));
  }

  byte @Nullable [] content(long number) throws SQLException {
    oneMoment();
    Long size = resourceSize.with(number).first(row -> row.number(1));
    if (size == null) {
      return null;
    }
    var content = ByteBuffer.allocate(size.intValue());
    for (byte[] part : resourceParts.with(number).all(row -> row.bytesOrEmpty(1))) {
      content.put(part);
    }
    return content.array();
  }

  TenantReader tenants() throws SQLException {
    oneMoment();
    return new TenantReader(session);
  }

  OpenWork openWork(int newest) throws SQLException {
    oneMoment();
    return new OpenWorkReader(session).read(newest);
  }

  Activity activity(String tenant, Activity.Span span) throws SQLException {
    oneMoment();
    return new ActivityReader(session, tenant, span).read();
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
