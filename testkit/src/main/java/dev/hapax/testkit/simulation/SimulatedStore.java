package dev.hapax.testkit.simulation;

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
import dev.hapax.store.Head;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.KvFilter;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Obstacle;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoreUnavailable;
import dev.hapax.store.StoredRun;
import dev.hapax.store.UnknownCommit;
import dev.hapax.store.WaitReads;
import dev.hapax.testkit.memory.MemoryCluster;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node's connection to the durable store, which outlives the node. Every call gives the baton
 * back, and a commit does so before and after it lands, so that a crash can come between the
 * landing and its acknowledgement. Commits fail in all the ways that databases have.
 */
final class SimulatedStore implements Store {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  /** Calls that are not reads where the store is real. */
  private static final Set<String> STARTING = Set.of("heartbeat", "newestAt");

  private final Store durable;
  private final Node node;
  private final Simulated with;
  private final Runnable whenBroken;
  private final BooleanSupplier isNewest;
  private final @Nullable Shared shared;
  private @Nullable Batch stillUnderWay;
  private long fullUntil;
  private long cutUntil;
  private long lockedUntil;

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
      Store durable, Node node, Simulated with, Runnable whenBroken, BooleanSupplier isNewest) {
    this.isNewest = isNewest;
    this.durable = durable;
    this.node = node;
    this.with = with;
    this.whenBroken = whenBroken;
    this.shared = durable instanceof MemoryCluster.Node lease ? new Shared(lease) : null;
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    note("commit", digest(batch));
    with.scheduler.pauseIn(node);
    landWhatIsUnderWay();
    meetErrors("commit");
    beCut();
    beSlow();
    beFull();
    if (strikes(Fault.STORE_BROKEN)) {
      boolean lands = with.choices.below(2) == 1;
      if (lands) {
        land("commit", batch);
      }
      whenBroken.run();
      throw new StoreBroken("simulated I/O error at commit, landed: " + lands, null);
    }
    if (strikes(Fault.COMMIT_UNKNOWN_NOT_LANDED)) {
      throw unknown("it did not land");
    }
    if (strikes(Fault.COMMIT_LANDS_AFTER_ITS_ERROR)) {
      holdOpen(batch);
      with.scheduler.after(millis(200), this::landWhatIsUnderWay);
      throw unknown("it lands later");
    }
    lockSomething(batch);
    List<GroupAnswer> answers = land("commit", batch);
    with.trace.say(with.scheduler.nanos(), () -> node + " commits " + batch + " -> " + answers);
    with.scheduler.pauseIn(node);
    if (strikes(Fault.COMMIT_UNKNOWN_LANDED)) {
      throw unknown("it landed");
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

  /**
   * Cuts the connection: a remote store may be out of reach, and a caller gets no answer for long.
   */
  private void beCut() {
    if (shared == null) {
      return;
    }
    if (strikes(Fault.CONNECTION_CUT)) {
      cutUntil = with.scheduler.nanos() + millis(120_000).toNanos();
    }
    Duration rest = Duration.ofNanos(cutUntil - with.scheduler.nanos());
    if (rest.isPositive()) {
      with.scheduler.block(node, rest.compareTo(LONGEST_SILENCE) < 0 ? rest : LONGEST_SILENCE);
      throw unknown("it never arrived");
    }
  }

  private void beSlow() {
    if (strikes(Fault.STORE_SLOW)) {
      with.scheduler.block(node, millis(60_000));
    }
  }

  /** Lets a long transaction of another program hold one of the locks of this batch. */
  private void lockSomething(Batch batch) {
    if (shared == null
        || batch.groups().isEmpty()
        || with.scheduler.nanos() < lockedUntil
        || !strikes(Fault.LOCK_KEPT_BY_ANOTHER)) {
      return;
    }
    Group group = batch.groups().get(with.choices.below(batch.groups().size()));
    List<Obstacle> locks = new ArrayList<>(Obstacle.before(group));
    locks.add(Obstacle.rowOf(group));
    Obstacle lock = locks.get(with.choices.below(locks.size()));
    Duration lasts = millis(120_000);
    lockedUntil = with.scheduler.nanos() + 2 * lasts.toNanos();
    with.scheduler.after(lasts, shared.lease.lock(lock));
  }

  private void beFull() {
    if (strikes(Fault.STORE_FULL)) {
      fullUntil = with.scheduler.nanos() + millis(7_200_000).toNanos();
    }
    if (with.scheduler.nanos() < fullUntil) {
      throw new StoreFull("simulated: no space", null);
    }
  }

  private boolean strikes(Fault fault) {
    boolean now = with.swarm.strikes(fault);
    if (now) {
      with.trace.say(with.scheduler.nanos(), () -> node + " meets " + fault);
    }
    return now;
  }

  /** Returns a duration that is mostly short, sometimes as long as allowed. */
  private Duration millis(int most) {
    int bound = with.choices.oneOf(10, 300, most);
    return Duration.ofMillis(1L + with.choices.below(bound));
  }

  private static UnknownCommit unknown(String truth) {
    return new UnknownCommit(
        "simulated: the connection failed at commit; " + truth, new Exception());
  }

  private static long digest(Batch batch) {
    long digest = 0;
    for (Group group : batch.groups()) {
      String entries = group.entries();
      digest = 31 * digest + group.op();
      digest = 31 * digest + group.at().toEpochMilli();
      digest = 31 * digest + (entries == null ? 0 : entries.hashCode());
      digest = 31 * digest + headDigest(group.head());
    }
    return digest;
  }

  private static long headDigest(Head head) {
    return switch (head) {
      case Head.Insert(var run, var owner) -> run.number() + (owner == null ? 0 : owner);
      case Head.Owned(long run, long owner, long seq) -> run + 31 * (owner + 31 * seq);
      case Head.Unowned(long run, long seq) -> run + 31 * seq;
      case Head.NotEnded(long run) -> run;
      case Head.Always() -> 1;
    };
  }

  private void note(String call, long arguments) {
    with.trace.note(with.scheduler.nanos(), with.scheduler.who(), call, arguments);
  }

  private <T extends @Nullable Object> T read(String call, long arguments, Supplier<T> read) {
    note(call, arguments);
    with.scheduler.pauseIn(node);
    meetErrors(call);
    while (with.scheduler.nanos() < cutUntil) {
      with.scheduler.block(node, Duration.ofNanos(cutUntil - with.scheduler.nanos()));
    }
    if (!with.scheduler.current().hearsRefusals || STARTING.contains(call)) {
      return read.get();
    }
    if (strikes(Fault.READ_REFUSED)) {
      throw new StoreUnavailable("simulated: the store cannot answer " + call, null);
    }
    if (!strikes(Fault.READ_SLOW)) {
      return read.get();
    }
    if (with.choices.below(2) == 1) {
      T before = read.get();
      with.scheduler.block(node, millis(60_000));
      return before;
    }
    with.scheduler.block(node, millis(60_000));
    return read.get();
  }

  /**
   * Throws Errors only in threads of the engine, and where a run is loaded: a body has its own
   * Errors.
   */
  private void meetErrors(String call) {
    boolean isEngines = with.scheduler.current().isEngines() || call.equals("load");
    if (isEngines && with.scheduler.current().hearsRefusals && strikes(Fault.ENGINE_ERROR)) {
      throw with.choices.below(2) == 0
          ? new OutOfMemoryError("simulated, in " + call)
          : new NoClassDefFoundError("simulated, in " + call);
    }
  }

  /** Every read that retention makes, by its name. */
  private Object retentionRead(Method method, Object[] arguments) {
    return read(
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
      return read(
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
    note("heartbeat", report.owner());
    with.scheduler.pauseIn(node);
    landWhatIsUnderWay();
    beCut();
    beSlow();
    if (strikes(Fault.HEARTBEAT_REFUSED)) {
      throw unknown("it was not heard");
    }
    HeartbeatReply heard = fenced("heartbeat", () -> durable.heartbeat(report));
    with.witness.attended(report, heard);
    if (!heard.adopted().isEmpty()) {
      with.trace.say(with.scheduler.nanos(), () -> node + " adopts " + heard.adopted());
    }
    with.scheduler.pauseIn(node);
    if (strikes(Fault.HEARTBEAT_ANSWERED_LATE)) {
      with.scheduler.block(node, millis(120_000));
    }
    if (strikes(Fault.HEARTBEAT_UNANSWERED)) {
      throw unknown("it was heard");
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
    return this.<@Nullable Run>read("find", id.high(), () -> durable.find(id));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return this.<@Nullable KeyHolder>read("holder", id.high(), () -> durable.holder(id));
  }

  @Override
  public @Nullable Generation newest(long first) {
    return this.<@Nullable Generation>read("newest", first, () -> durable.newest(first));
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
    return this.<@Nullable Run>read("run", number, () -> durable.run(number));
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    return this.<@Nullable StoredRun>read("load", number, () -> durable.load(number, from));
  }

  @Override
  public List<JournalRow> journal(long run) {
    return read("journal", run, () -> durable.journal(run));
  }

  @Override
  public List<JournalRow> lanes(long run, List<String> lanes) {
    return read("lanes", run, () -> durable.lanes(run, lanes));
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return this.<@Nullable EffectRecord>read("effect", number, () -> durable.effect(number));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return this.<@Nullable EffectRecord>read(
        "effect", key.key().hashCode(), () -> durable.effect(key));
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return read("runs", 0, () -> durable.runs(filter));
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return read("effects", 0, () -> durable.effects(filter));
  }

  @Override
  public WaitReads waits() {
    return read("waits", 0, durable::waits);
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return read("secretKey", 0, () -> durable.secretKey(fresh));
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return read("holds", 0, () -> durable.holds(tenant, subject));
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return read("due", until.toEpochMilli(), () -> durable.due(after, until, limit));
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return this.<@Nullable Instant>read("nextDue", 0, () -> durable.nextDue(after));
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return read("events", 0, () -> durable.events(filter));
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return read("schedules", 0, () -> durable.schedules(tenant));
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return this.<@Nullable KvEntry>read("kv", key.hashCode(), () -> durable.kv(tenant, key));
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return read("kvs", filter.prefix().hashCode(), () -> durable.kv(filter));
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return this.<@Nullable ResourceRecord>read(
        "resource", ref.hex().hashCode(), () -> durable.resource(tenant, ref));
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return this.<byte @Nullable []>read("content", resource, () -> durable.content(resource));
  }

  @Override
  public Instant newestAt() {
    return read("newestAt", 0, durable::newestAt);
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
