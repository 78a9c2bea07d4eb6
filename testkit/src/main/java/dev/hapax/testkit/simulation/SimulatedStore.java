package dev.hapax.testkit.simulation;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreBroken;
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
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.ErasureReads;
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
import dev.hapax.testkit.memory.MemoryCluster;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node's connection to the durable store, which outlives the node. Every call gives the baton
 * back, and a commit does so before and after it lands, so that a crash can come between the
 * landing and its acknowledgement. Commits fail in all the ways that databases have: see {@link
 * StoreTrouble}.
 */
final class SimulatedStore implements Store {
  private final Store durable;
  private final SimulatedNode node;
  private final Simulated with;
  private final Runnable whenBroken;
  private final BooleanSupplier isNewest;
  private final @Nullable Shared shared;
  private final StoreTrouble trouble;
  private @Nullable Batch stillUnderWay;

  /** The parts that the simulated ports are made of. */
  record Simulated(
      Scheduler scheduler, Choices choices, Swarm swarm, Trace trace, NodeWitness witness) {}

  /** A connection of one of several nodes, and the number of its start once that is known. */
  private static final class Shared {
    final MemoryCluster.Node lease;
    long owner;

    Shared(MemoryCluster.Node lease) {
      this.lease = lease;
    }
  }

  /**
   * Creates a connection of this node.
   *
   * @param isNewest whether no other process has opened the store since
   */
  SimulatedStore(
      Store durable,
      SimulatedNode node,
      Simulated with,
      Runnable whenBroken,
      BooleanSupplier isNewest) {
    this.isNewest = isNewest;
    this.durable = durable;
    this.node = node;
    this.with = with;
    this.whenBroken = whenBroken;
    this.shared = durable instanceof MemoryCluster.Node lease ? new Shared(lease) : null;
    this.trouble = new StoreTrouble(node, with, shared == null ? null : shared.lease);
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    trouble.note("commit", BatchDigest.of(batch));
    with.scheduler.pauseIn(node);
    landWhatIsUnderWay();
    trouble.meetErrors("commit");
    trouble.beCut();
    trouble.beSlow();
    trouble.beFull();
    if (trouble.strikes(Fault.STORE_BROKEN)) {
      boolean lands = with.choices.below(2) == 1;
      if (lands) {
        land("commit", batch);
      }
      whenBroken.run();
      throw new StoreBroken("simulated I/O error at commit, landed: " + lands, null);
    }
    if (trouble.strikes(Fault.COMMIT_UNKNOWN_NOT_LANDED)) {
      throw StoreTrouble.unknown("it did not land");
    }
    if (trouble.strikes(Fault.COMMIT_LANDS_AFTER_ITS_ERROR)) {
      holdOpen(batch);
      with.scheduler.after(trouble.millis(200), this::landWhatIsUnderWay);
      throw StoreTrouble.unknown("it lands later");
    }
    trouble.lockSomething(batch);
    List<GroupAnswer> answers = land("commit", batch);
    with.trace.say(with.scheduler.nanos(), () -> node + " commits " + batch + " -> " + answers);
    with.scheduler.pauseIn(node);
    if (trouble.strikes(Fault.COMMIT_UNKNOWN_LANDED)) {
      throw StoreTrouble.unknown("it landed");
    }
    return answers;
  }

  /**
   * Lands the old transaction. Its backend holds its locks until it is done, so the same batch,
   * submitted again, and a takeover after a crash wait for it.
   */
  void landWhatIsUnderWay() {
    Batch batch = stillUnderWay;
    holdOpen(null);
    if (batch != null) {
      try {
        land("late commit", batch);
      } catch (StoreBroken e) {
        return; // the caller that submits it again gets the same error
      }
      with.trace.say(with.scheduler.nanos(), () -> "landed late: " + batch);
    }
  }

  /** Keeps a transaction open. It holds the lease, so no other node ends the lease meanwhile. */
  private void holdOpen(@Nullable Batch batch) {
    stillUnderWay = batch;
    if (shared != null) {
      shared.lease.hasOpenTransaction(batch != null);
    }
  }

  private List<GroupAnswer> land(String what, Batch batch) {
    if (shared == null) {
      refuseIfShutOut();
      List<GroupAnswer> answers = durable.commit(batch);
      with.witness.landed(batch, answers);
      return answers;
    }
    List<GroupAnswer> answers = fenced(what, () -> durable.commit(batch));
    with.witness.landed(batch, answers);
    with.witness.wrote(shared.owner, batch, answers);
    return answers;
  }

  /** Refuses a write to a file that another process has opened since. */
  private void refuseIfShutOut() {
    if (!isNewest.getAsBoolean()) {
      whenBroken.run();
      throw new StoreBroken("another process has opened the store since", null);
    }
  }

  /** Ends a process whose lease has ended. It is started again. */
  private <T> T fenced(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreBroken e) {
      with.witness.refused(what);
      with.trace.say(with.scheduler.nanos(), () -> node + ": " + what + " refused");
      whenBroken.run();
      throw e;
    }
  }

  /** Every read that retention makes, by its name. */
  private Object retentionRead(Method method, Object[] arguments) {
    return trouble.read(
        "retention " + method.getName(),
        0,
        () -> {
          try {
            return method.invoke(durable.retention(), arguments);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e.getCause());
          }
        });
  }

  @Override
  public HeartbeatReply heartbeat(NodeReport report) {
    if (shared == null) {
      return trouble.read(
          "heartbeat",
          report.owner(),
          () -> {
            refuseIfShutOut();
            return durable.heartbeat(report);
          });
    }
    if (shared.owner == 0) { // one that was closed may still renew its lease
      node.owner = report.owner();
    }
    shared.owner = report.owner();
    trouble.note("heartbeat", report.owner());
    with.scheduler.pauseIn(node);
    landWhatIsUnderWay();
    trouble.beCut();
    trouble.beSlow();
    if (trouble.strikes(Fault.HEARTBEAT_REFUSED)) {
      throw StoreTrouble.unknown("it was not heard");
    }
    HeartbeatReply heard = fenced("heartbeat", () -> durable.heartbeat(report));
    with.witness.heartbeat(report, heard);
    if (!heard.adopted().isEmpty()) {
      with.trace.say(with.scheduler.nanos(), () -> node + " adopts " + heard.adopted());
    }
    with.scheduler.pauseIn(node);
    if (trouble.strikes(Fault.HEARTBEAT_ANSWERED_LATE)) {
      with.scheduler.block(node, trouble.millis(120_000));
    }
    if (trouble.strikes(Fault.HEARTBEAT_UNANSWERED)) {
      throw StoreTrouble.unknown("it was heard");
    }
    return heard;
  }

  /** Nodes learn of failovers by their connection to the new server. */
  @Override
  public List<Failover> failovers() {
    return durable.failovers();
  }

  @Override
  public int mark() {
    return durable.mark();
  }

  @Override
  public @Nullable Run find(RunId id) {
    return trouble.<@Nullable Run>read("find", id.high(), () -> durable.find(id));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return trouble.<@Nullable KeyHolder>read("holder", id.high(), () -> durable.holder(id));
  }

  @Override
  public @Nullable Generation newest(long first) {
    return trouble.<@Nullable Generation>read("newest", first, () -> durable.newest(first));
  }

  @Override
  public RetentionReads retention() {
    return (RetentionReads)
        Proxy.newProxyInstance(
            RetentionReads.class.getClassLoader(),
            new Class<?>[] {RetentionReads.class},
            (_, method, arguments) -> retentionRead(method, arguments));
  }

  @Override
  public @Nullable Run run(long number) {
    return trouble.<@Nullable Run>read("run", number, () -> durable.run(number));
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    return trouble.<@Nullable StoredRun>read("load", number, () -> durable.load(number, from));
  }

  @Override
  public List<JournalRow> journal(long run, long after, int limit) {
    return trouble.read("journal", run, () -> durable.journal(run, after, limit));
  }

  @Override
  public List<JournalRow> itemRows(long run, List<String> items) {
    return trouble.read("itemRows", run, () -> durable.itemRows(run, items));
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return trouble.<@Nullable EffectRecord>read("effect", number, () -> durable.effect(number));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return trouble.<@Nullable EffectRecord>read(
        "effect", key.key().hashCode(), () -> durable.effect(key));
  }

  @Override
  public @Nullable EffectTombstone expiredEffect(EffectKey key) {
    return trouble.<@Nullable EffectTombstone>read(
        "expiredEffect", key.key().hashCode(), () -> durable.expiredEffect(key));
  }

  @Override
  public @Nullable ClaimAnswer expiredAnswer(EffectClaim claim) {
    return trouble.<@Nullable ClaimAnswer>read(
        "expiredAnswer", claim.key().key().hashCode(), () -> durable.expiredAnswer(claim));
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return trouble.read("runs", 0, () -> durable.runs(filter));
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return trouble.read("effects", 0, () -> durable.effects(filter));
  }

  @Override
  public List<InboxEvent> events(String tenant, TextMatch event, int limit) {
    return trouble.read("events", 0, () -> durable.events(tenant, event, limit));
  }

  @Override
  public boolean isSearchBehind(long before) {
    return trouble.read("isSearchBehind", 0, () -> durable.isSearchBehind(before));
  }

  @Override
  public @Nullable String stoppedNotes(long run) {
    return trouble.<@Nullable String>read("stoppedNotes", run, () -> durable.stoppedNotes(run));
  }

  @Override
  public WaitReads waits() {
    return trouble.read("waits", 0, durable::waits);
  }

  @Override
  public JobReads jobs() {
    return new SimulatedJobs(trouble, durable.jobs());
  }

  @Override
  public ErasureReads erasures() {
    return durable.erasures(); // no feature erases yet: an opening reads that there is nothing
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return trouble.read("secretKey", 0, () -> durable.secretKey(fresh));
  }

  @Override
  public byte @Nullable [] secretKey() {
    return trouble.<byte @Nullable []>read("secretKey", 0, durable::secretKey);
  }

  @Override
  public void eraseSecretKey(byte[] known) {
    trouble.read(
        "eraseSecretKey",
        0,
        () -> {
          durable.eraseSecretKey(known);
          return true;
        });
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return trouble.read("holds", 0, () -> durable.holds(tenant, subject));
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return trouble.read("due", until.toEpochMilli(), () -> durable.due(after, until, limit));
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return trouble.<@Nullable Instant>read("nextDue", 0, () -> durable.nextDue(after));
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return trouble.read("events", 0, () -> durable.events(filter));
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return trouble.read("schedules", 0, () -> durable.schedules(tenant));
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return trouble.<@Nullable KvEntry>read("kv", key.hashCode(), () -> durable.kv(tenant, key));
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return trouble.read("kvs", filter.prefix().hashCode(), () -> durable.kv(filter));
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return trouble.<@Nullable ResourceRecord>read(
        "resource", ref.hex().hashCode(), () -> durable.resource(tenant, ref));
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return trouble.<byte @Nullable []>read("content", resource, () -> durable.content(resource));
  }

  @Override
  public TenantReads tenants() {
    return durable.tenants();
  }

  @Override
  public Instant newestAt() {
    return trouble.read("newestAt", 0, durable::newestAt);
  }

  @Override
  public long id() {
    return durable.id();
  }

  @Override
  public void backup(Path target, Instant at) {
    durable.backup(target, at);
  }

  @Override
  public void close() {
    landWhatIsUnderWay(); // it holds the lease or the file: the next opening finds it landed
    if (shared != null) {
      durable.close();
      with.witness.left(shared.owner);
    }
  }
}
