package dev.hapax.testkit.memory;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Generation;
import dev.hapax.run.Hold;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.JournalRow;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.KvEntry;
import dev.hapax.run.ResourceRecord;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.Subject;
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.Failover;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.KvFilter;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Provisional;
import dev.hapax.store.Restoration;
import dev.hapax.store.Restored;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.store.WaitReads;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands every call on to another store; for those that change a few of them. */
public abstract class ForwardingStore implements Store {

  /** Whom to hand this call on to. */
  protected abstract Store to();

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    return to().commit(batch);
  }

  @Override
  public Provisional write(Group group, Connection connection) {
    return to().write(group, connection);
  }

  @Override
  public HeartbeatReply heartbeat(NodeReport report) {
    return to().heartbeat(report);
  }

  @Override
  public int mark() {
    return to().mark();
  }

  @Override
  public List<Failover> failovers() {
    return to().failovers();
  }

  @Override
  public @Nullable Run find(RunId id) {
    return to().find(id);
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return to().holder(id);
  }

  @Override
  public @Nullable Generation newest(long first) {
    return to().newest(first);
  }

  @Override
  public RetentionReads retention() {
    return to().retention();
  }

  @Override
  public @Nullable Run run(long number) {
    return to().run(number);
  }

  @Override
  public List<Run> runs(List<Long> numbers) {
    return to().runs(numbers);
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    return to().load(number, from);
  }

  @Override
  public List<JournalRow> journal(long run) {
    return to().journal(run);
  }

  @Override
  public List<JournalRow> lanes(long run, List<String> lanes) {
    return to().lanes(run, lanes);
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return to().effect(number);
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return to().effect(key);
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return to().runs(filter);
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return to().effects(filter);
  }

  @Override
  public WaitReads waits() {
    return to().waits();
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return to().secretKey(fresh);
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return to().holds(tenant, subject);
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return to().due(after, until, limit);
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return to().nextDue(after);
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return to().events(filter);
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return to().schedules(tenant);
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return to().kv(tenant, key);
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return to().kv(filter);
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return to().resource(tenant, ref);
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return to().content(resource);
  }

  @Override
  public Instant newestAt() {
    return to().newestAt();
  }

  @Override
  public long id() {
    return to().id();
  }

  @Override
  public @Nullable Restored restored() {
    return to().restored();
  }

  @Override
  public @Nullable Instant copiedAt() {
    return to().copiedAt();
  }

  @Override
  public void restore(Restoration as, long freshId, Instant at) {
    to().restore(as, freshId, at);
  }

  @Override
  public void backup(Path target, Instant at) {
    to().backup(target, at);
  }

  @Override
  public void close() {
    to().close();
  }
}
