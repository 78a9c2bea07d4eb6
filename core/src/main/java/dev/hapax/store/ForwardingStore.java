package dev.hapax.store;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
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
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards every call to another store. A subclass overrides single methods, or {@link #call} for
 * all of them. A test checks that no method of the port is missing here.
 */
public abstract class ForwardingStore implements Store {

  /** The store that gets the next call. */
  protected abstract Store to();

  /**
   * Makes one call; also those of {@link #waits()}, {@link #jobs()} and the like.
   *
   * @param method the name of the method of the port
   */
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    return call.get();
  }

  @Override
  public @Nullable String stoppedNotes(long run) {
    return call("stoppedNotes", () -> to().stoppedNotes(run));
  }

  @Override
  public WaitReads waits() {
    return new ForwardingWaits(this);
  }

  @Override
  public JobReads jobs() {
    return new ForwardingJobs(this);
  }

  @Override
  public ErasureReads erasures() {
    return new ForwardingErasures(this);
  }

  @Override
  public boolean scrub() {
    return call("scrub", () -> to().scrub());
  }

  @Override
  public RetentionReads retention() {
    return new ForwardingRetention(this);
  }

  @Override
  public TenantReads tenants() {
    return new ForwardingTenants(this);
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    return call("commit", () -> to().commit(batch));
  }

  @Override
  public Provisional write(Group group, Connection connection) {
    return call("write", () -> to().write(group, connection));
  }

  @Override
  public HeartbeatReply heartbeat(NodeReport report) {
    return call("heartbeat", () -> to().heartbeat(report));
  }

  @Override
  public List<InboxEvent> events(String tenant, TextMatch event, int limit) {
    return call("events", () -> to().events(tenant, event, limit));
  }

  @Override
  public boolean isSearchBehind(long before) {
    return call("isSearchBehind", () -> to().isSearchBehind(before));
  }

  @Override
  public int mark() {
    return call("mark", () -> to().mark());
  }

  @Override
  public List<NodeLease> nodes() {
    return call("nodes", () -> to().nodes());
  }

  @Override
  public List<Failover> failovers() {
    return call("failovers", () -> to().failovers());
  }

  @Override
  public long id() {
    return call("id", () -> to().id());
  }

  @Override
  public @Nullable Restored restored() {
    return this.<@Nullable Restored>call("restored", () -> to().restored());
  }

  @Override
  public void restore(Restoration as, long freshId, Instant at) {
    this.<@Nullable Void>call(
        "restore",
        () -> {
          to().restore(as, freshId, at);
          return null;
        });
  }

  @Override
  public @Nullable Instant copiedAt() {
    return this.<@Nullable Instant>call("copiedAt", () -> to().copiedAt());
  }

  @Override
  public @Nullable Run find(RunId id) {
    return this.<@Nullable Run>call("find", () -> to().find(id));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return this.<@Nullable KeyHolder>call("holder", () -> to().holder(id));
  }

  @Override
  public @Nullable Generation newest(long first) {
    return this.<@Nullable Generation>call("newest", () -> to().newest(first));
  }

  @Override
  public @Nullable Run run(long number) {
    return this.<@Nullable Run>call("run", () -> to().run(number));
  }

  @Override
  public List<Run> runs(List<Long> numbers) {
    return call("runs", () -> to().runs(numbers));
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    return this.<@Nullable StoredRun>call("load", () -> to().load(number, from));
  }

  @Override
  public List<JournalRow> journal(long run, long after, int limit) {
    return call("journal", () -> to().journal(run, after, limit));
  }

  @Override
  public List<JournalRow> journals(List<Long> runs) {
    return call("journals", () -> to().journals(runs));
  }

  @Override
  public List<EffectRecord> effects(List<Long> numbers) {
    return call("effects", () -> to().effects(numbers));
  }

  @Override
  public List<EffectRecord> effectsOf(List<EffectKey> keys) {
    return call("effectsOf", () -> to().effectsOf(keys));
  }

  @Override
  public List<JournalRow> itemRows(long run, List<String> items) {
    return call("itemRows", () -> to().itemRows(run, items));
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return this.<@Nullable EffectRecord>call("effect", () -> to().effect(number));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return this.<@Nullable EffectRecord>call("effect", () -> to().effect(key));
  }

  @Override
  public @Nullable EffectTombstone expiredEffect(EffectKey key) {
    return this.<@Nullable EffectTombstone>call("expiredEffect", () -> to().expiredEffect(key));
  }

  @Override
  public List<EffectKey> expiredOf(List<EffectKey> keys) {
    return call("expiredOf", () -> to().expiredOf(keys));
  }

  @Override
  public @Nullable ClaimAnswer expiredAnswer(EffectClaim claim) {
    return this.<@Nullable ClaimAnswer>call("expiredAnswer", () -> to().expiredAnswer(claim));
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return call("runs", () -> to().runs(filter));
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return call("effects", () -> to().effects(filter));
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return call("secretKey", () -> to().secretKey(fresh));
  }

  @Override
  public byte @Nullable [] secretKey() {
    return this.<byte @Nullable []>call("secretKey", () -> to().secretKey());
  }

  @Override
  public void eraseSecretKey(byte[] known) {
    call(
        "eraseSecretKey",
        () -> {
          to().eraseSecretKey(known);
          return true;
        });
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return call("holds", () -> to().holds(tenant, subject));
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return call("due", () -> to().due(after, until, limit));
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return this.<@Nullable Instant>call("nextDue", () -> to().nextDue(after));
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return call("events", () -> to().events(filter));
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return call("schedules", () -> to().schedules(tenant));
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return this.<@Nullable KvEntry>call("kv", () -> to().kv(tenant, key));
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return call("kv", () -> to().kv(filter));
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return this.<@Nullable ResourceRecord>call("resource", () -> to().resource(tenant, ref));
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return this.<byte @Nullable []>call("content", () -> to().content(resource));
  }

  @Override
  public Instant newestAt() {
    return call("newestAt", () -> to().newestAt());
  }

  @Override
  public void backup(Path target, Instant at) {
    this.<@Nullable Void>call(
        "backup",
        () -> {
          to().backup(target, at);
          return null;
        });
  }

  @Override
  public void close() {
    this.<@Nullable Void>call(
        "close",
        () -> {
          to().close();
          return null;
        });
  }
}
